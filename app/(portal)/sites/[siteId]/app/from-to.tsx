import { ArrowRight } from 'lucide-react'

/** What is copied where. */
export const FromTo = ({ from, to }: { from: string; to: string }) => (
  <p className="mt-3 flex flex-wrap items-center gap-x-2.5 gap-y-1 rounded-control bg-sunken px-3 py-2">
    <span className="font-semibold wrap-anywhere">{from}</span>
    <ArrowRight aria-hidden size={16} strokeWidth={1.5} className="shrink-0 text-muted" />
    <span className="sr-only">to</span>
    <span className="font-semibold wrap-anywhere">{to}</span>
  </p>
)
