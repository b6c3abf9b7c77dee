import type { ReactNode } from 'react'

/** Around every page of a sandbox server, so that nobody mistakes it for a real one. */
export function SandboxFrame({ sandbox, children }: { sandbox: boolean; children: ReactNode }) {
  if (!sandbox) return children
  return (
    <div className="min-h-dvh border-x-4 border-t-4 border-sandbox max-tablet:border-x-2">
      <p className="bg-sandbox px-4 pb-1 text-small font-semibold text-on-sandbox tablet:px-7">
        Sandbox: a simulated server. Nothing real is touched.
      </p>
      {children}
    </div>
  )
}
