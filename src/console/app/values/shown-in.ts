// Numbers that people see in another unit: minutes as hours and minutes, ratios as percent. Exact both ways: what is typed is
// shifted as a text, never computed.
import type { FieldModel } from '../service/model.ts';

type Shown = Pick<FieldModel, 'shownIn'>;

/** 105 → 1:45; −30 → −0:30. */
export function clockText(minutes: number): string {
  const [whole, sign] = [Math.round(Math.abs(minutes)), minutes < 0 ? '−' : ''];
  return `${sign}${Math.floor(whole / 60)}:${String(whole % 60).padStart(2, '0')}`;
}

/** A decimal text with its point moved: `0.19` by 2 is `19`. */
function shifted(text: string, by: number): string {
  const [, sign = '', whole = '', part = ''] = /^(-?)(\d*)\.?(\d*)$/.exec(text) ?? [];
  const digits = by > 0 ? whole + part.padEnd(by, '0') : whole.padStart(1 - by, '0') + part;
  const point = (by > 0 ? whole.length : Math.max(whole.length, 1 - by)) + by;
  const moved = `${digits.slice(0, point)}.${digits.slice(point)}`.replace(/\.?0*$/, '').replace(/^0+(?=\d)/, '');
  return `${sign}${moved === '' || moved.startsWith('.') ? `0${moved}` : moved}`;
}

/** A number as its control holds it. */
export function typedText({ shownIn }: Shown, value: number | string): string {
  const text = String(value);
  if (shownIn === 'hours') return clockText(Number(text)).replace('−', '-');
  return shownIn === 'percent' && /^-?\d+(?:\.\d+)?$/.test(text) ? shifted(text, 2) : text;
}

/** What was typed as the number that is meant, a text of digits; unchanged where it is none. @param text With a point, not a comma. */
export function meantText({ shownIn }: Shown, text: string): string {
  if (shownIn === 'percent') {
    const bare = text.replace(/\s*%$/, '');
    return /^-?\d+(?:\.\d+)?$/.test(bare) ? shifted(bare, -2) : text;
  }
  return shownIn === 'hours' ? (minutesIn(text) ?? text) : text;
}

/** `1:45`, `1.75` hours, `1h 45m`, `45 min`. */
function minutesIn(text: string): string | undefined {
  const [, hours, minutes] =
    /^(\d+):([0-5]\d)$/.exec(text) ?? /^(?:(\d+)\s*h)?\s*(?:(\d+)\s*m(?:in)?)?$/.exec(text) ?? [];
  if (hours !== undefined || minutes !== undefined) return String(Number(hours ?? 0) * 60 + Number(minutes ?? 0));
  const whole = Number(text) * 60;
  return /^\d+(?:\.\d+)?$/.test(text) && Number.isInteger(whole) ? String(whole) : undefined;
}
