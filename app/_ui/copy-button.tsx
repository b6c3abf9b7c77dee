'use client'

import { clsx } from 'clsx'
import { Check, Copy } from 'lucide-react'
import { useEffect, useState } from 'react'

/** Copies `value`; the icon becomes a check mark for 1.2 s and the change is announced. */
export function CopyButton({ value, what, className }: { value: string; what: string; className?: string }) {
  const [copied, setCopied] = useState(false)
  useEffect(() => {
    if (!copied) return
    const timer = setTimeout(() => setCopied(false), 1200)
    return () => clearTimeout(timer)
  }, [copied])
  return (
    <button
      type="button"
      aria-label={`Copy ${what}`}
      onClick={(event) => {
        const { parentElement } = event.currentTarget
        copyText(value).then(setCopied, () => selectText(parentElement, value))
      }}
      className={clsx(
        'inline-flex size-7 touch:size-9 shrink-0 items-center justify-center rounded-control text-muted transition-opacity duration-120 hover:bg-accent-soft hover:text-ink',
        className,
      )}
    >
      {copied ? <Check aria-hidden size={16} strokeWidth={1.5} className="text-ok" /> : <Copy aria-hidden size={16} strokeWidth={1.5} />}
      <span role="status" className="sr-only">
        {copied ? 'Copied' : ''}
      </span>
    </button>
  )
}

async function copyText(value: string): Promise<true> {
  await navigator.clipboard.writeText(value)
  return true
}

/** Plain http other than localhost has no clipboard: selects the text, so that one key press copies it. */
function selectText(root: Element | null, value: string): void {
  if (!root) return
  const walker = document.createTreeWalker(root, NodeFilter.SHOW_TEXT)
  for (let node = walker.nextNode(); node; node = walker.nextNode()) {
    if (node.textContent?.includes(value)) {
      getSelection()?.selectAllChildren(node.parentElement ?? node)
      return
    }
  }
}
