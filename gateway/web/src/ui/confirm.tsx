import { useContext, useRef, useState } from 'preact/hooks';
import type { ComponentChildren } from 'preact';
import { Refusal } from './refusal';

/** A button that asks before it does something that cannot be undone. */
export function ConfirmButton({ label, title, question, action, onConfirm, children, isDisabled = false, isSmall = true }: {
  label: string; title: string; question: string; action: string; onConfirm: () => void; children: ComponentChildren; isDisabled?: boolean; isSmall?: boolean;
}) {
  const dialog = useRef<HTMLDialogElement>(null);
  const [isOpen, setOpen] = useState(false);
  const refusal = useContext(Refusal);
  const open = () => {
    setOpen(true);
    requestAnimationFrame(() => dialog.current?.showModal());
  };
  return (
    <>
      <button type="button" class={`icon-button ${isSmall ? 'small' : ''}`} aria-label={label} title={refusal ?? label} disabled={isDisabled} onClick={open}>{children}</button>
      {isOpen && (
        <dialog ref={dialog} aria-label={title} onClose={() => setOpen(false)}>
          <h2>{title}</h2>
          <p>{question}</p>
          <div class="row end">
            <button type="button" onClick={() => dialog.current?.close()}>Cancel</button>
            <button type="button" class="danger" onClick={() => { dialog.current?.close(); onConfirm(); }}>{action}</button>
          </div>
        </dialog>
      )}
    </>
  );
}
