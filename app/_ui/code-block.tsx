import { CopyButton } from './copy-button'

/** A shell command with a copy button. */
export function CodeBlock({ text, what }: { text: string; what: string }) {
  return (
    <div className="flex items-start gap-2 rounded-control bg-terminal py-1 pr-1 pl-3 text-terminal-ink">
      <pre className="min-w-0 flex-1 py-1 font-mono text-code break-words whitespace-pre-wrap">{text}</pre>
      <CopyButton value={text} what={what} className="text-terminal-ink hover:bg-terminal-muted/30 hover:text-terminal-ink" />
    </div>
  )
}
