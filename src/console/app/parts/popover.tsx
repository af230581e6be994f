// A popover below a button: closes with Escape, a click elsewhere, or loss of focus.
import type { ComponentChildren, JSX } from 'preact';
import { useEffect, useRef, useState } from 'preact/hooks';

interface PopoverProps {
  readonly label: ComponentChildren;
  /** What the button does, where its label is a sign. */
  readonly title?: string | undefined;
  readonly class?: string;
  readonly isOpenAtFirst?: boolean;
  readonly onOpen?: () => void;
  readonly onClose?: () => void;
  readonly children: (close: () => void) => ComponentChildren;
}

const reached = 'input, select, textarea, button, a[href], [tabindex="0"]';

export function Popover(props: PopoverProps): JSX.Element {
  const { label, title, isOpenAtFirst = false, onClose, children } = props;
  const [isOpen, setOpen] = useState(isOpenAtFirst);
  const root = useRef<HTMLDivElement>(null);
  const button = useRef<HTMLButtonElement>(null);

  const close = (): void => {
    setOpen(false);
    onClose?.();
    button.current?.focus();
  };
  useEffect(() => {
    if (!isOpen) return;
    props.onOpen?.();
    root.current?.querySelector<HTMLElement>('.popover-body')?.querySelector<HTMLElement>(reached)?.focus();
    const leave = (event: Event): void => {
      if (root.current?.contains(event.target as Node) === true) return;
      setOpen(false);
      onClose?.();
    };
    addEventListener('pointerdown', leave);
    addEventListener('focusin', leave);
    return () => {
      removeEventListener('pointerdown', leave);
      removeEventListener('focusin', leave);
    };
  }, [isOpen]);

  const onKeyDown = (event: KeyboardEvent): void => {
    if (event.key !== 'Escape' || !isOpen) return;
    event.stopPropagation();
    close();
  };
  return (
    <div class={`popover ${props.class ?? ''}`} ref={root} onKeyDown={onKeyDown}>
      <button
        type="button"
        ref={button}
        aria-expanded={isOpen}
        aria-label={title}
        title={title}
        onClick={() => setOpen(!isOpen)}
      >
        {label}
      </button>
      {isOpen && <div class="popover-body">{children(close)}</div>}
    </div>
  );
}
