/** Whether this browser has dismissed the first steps. A cookie, so that the page is rendered without them at once. */
import 'server-only'
import { cookies } from 'next/headers'
import { describeCookie } from '@/lib/portal/identity/cookie'

const yearSeconds = 31_536_000

export async function areFirstStepsHidden(): Promise<boolean> {
  return (await cookies()).get(describeCookie('first-steps').name)?.value === 'hidden'
}

/** Only in actions. */
export async function hideFirstSteps(hidden: boolean): Promise<void> {
  const { name, options } = describeCookie('first-steps')
  const store = await cookies()
  store.set({ name, value: hidden ? 'hidden' : '', maxAge: hidden ? yearSeconds : 0, ...options })
}
