'use server'

import { type Outcome, problem } from '@/lib/contract/problem'
import { requireSameOrigin } from '@/lib/portal/base/request/same-origin'
import { findActor } from '@/lib/portal/identity/actor'
import { hideFirstSteps } from '@/lib/portal/views/home/first-steps-cookie'

/** Field: hidden, `yes` or `no`. Hides the first steps in this browser, or shows them again. */
export async function saveFirstStepsHidden(_previous: unknown, form: FormData): Promise<Outcome<null>> {
  const foreign = await requireSameOrigin()
  if (foreign) return { ok: false, problem: foreign }
  if (!(await findActor())) return { ok: false, problem: problem('signed_out') }
  const hidden = form instanceof FormData ? form.get('hidden') : null
  if (hidden !== 'yes' && hidden !== 'no') return { ok: false, problem: problem('invalid') }
  await hideFirstSteps(hidden === 'yes')
  return { ok: true, data: null }
}
