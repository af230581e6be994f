// A button with what can be done below it, and how something is copied there.
import type { JSX } from 'preact';
import { commonMessages } from '../messages/common.ts';
import { Popover } from './popover.tsx';
import { say } from './say.tsx';

interface MenuEntry {
  readonly label: string;
  /** What it does, or where it leads. */
  readonly does: (() => unknown) | string;
  readonly title?: string | undefined;
  readonly isDanger?: boolean;
  readonly isPressed?: boolean;
}

interface MenuProps {
  readonly label: string;
  /** Those that are false are not offered. */
  readonly entries: readonly (MenuEntry | false)[];
}

export function Menu({ label, entries }: MenuProps): JSX.Element {
  return (
    <Popover label={label}>
      {(close) => (
        <div class="menu">
          {entries
            .filter((entry) => entry !== false)
            .map(({ label: words, does, title, isDanger, isPressed }) =>
              typeof does === 'string' ? (
                <a key={words} class="button" href={does}>
                  {words}
                </a>
              ) : (
                <button
                  type="button"
                  key={words}
                  class={isDanger === true ? 'danger' : undefined}
                  title={title}
                  aria-pressed={isPressed}
                  onClick={() => {
                    close();
                    does();
                  }}
                >
                  {words}
                </button>
              ),
            )}
        </div>
      )}
    </Popover>
  );
}

/** @param what It is called so where it is said to be copied. */
export const copyText = (text: string, what: string): void => {
  void navigator.clipboard.writeText(text).then(() => say(commonMessages.copied(what)));
};
