import type { ReactNode } from 'react'
import { Mark } from '../_shared/frame/mark'

/** One narrow column for users who are not signed in yet. */
export default function PublicLayout({ children }: { children: ReactNode }) {
  return (
    <main className="mx-auto flex min-h-dvh w-full max-w-[392px] flex-col px-4 pt-[12vh] pb-10">
      <p className="mb-7 flex items-center gap-2.5 font-semibold">
        <Mark className="size-6" />
        Gatehouse
      </p>
      {children}
    </main>
  )
}
