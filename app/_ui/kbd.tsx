/** A key as labelled on the keyboard. */
export function Kbd({ text }: { text: string }) {
  return (
    <kbd className="inline-flex min-w-5 items-center justify-center rounded-control border border-line px-1.5 font-sans text-chip text-muted">
      {text}
    </kbd>
  )
}
