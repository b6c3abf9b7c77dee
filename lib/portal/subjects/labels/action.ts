/** The form that adds and removes labels: which servers, which label, add or remove. */
import 'server-only'
import { ownAction } from '@/lib/portal/spine/guarded-action'
import { changeLabels } from './change'
import type { SubjectKind } from './labels'

/**
 * The action for one kind of subject. Reads `ids` (opaque ids separated by spaces), `label`, and `change`: add or remove.
 */
export const labelsAction = (subjectKind: SubjectKind) =>
  ownAction(`labels.${subjectKind}`, async ({ actor, requestId, field }) => {
    const subjectIds = field('ids').split(' ').filter(Boolean)
    const change = field('change') === 'remove' ? 'remove' : 'add'
    return changeLabels(actor, { change, subjectKind, subjectIds, label: field('label') }, requestId)
  })
