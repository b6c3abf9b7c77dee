/** Labels by a form: which servers, which label, on or off. */
import 'server-only'
import { ownAction } from '@/lib/portal/spine/guarded-action'
import { changeLabels } from './change'

/**
 * The action for one kind of subject. Reads `ids` (opaque ids with spaces between), `label`, and `change`: add or
 * remove.
 */
export const labelsAction = (subjectKind: 'server' | 'site') =>
  ownAction(`labels.${subjectKind}`, async ({ actor, field }) => {
    const subjectIds = field('ids').split(' ').filter(Boolean)
    const change = field('change') === 'remove' ? 'remove' : 'add'
    return changeLabels(actor, { change, subjectKind, subjectIds, label: field('label') })
  })
