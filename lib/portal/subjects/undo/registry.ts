/** Every kind of change that can be taken back. A new kind is one file of its subject and its line here. */
import 'server-only'
import { jobPutBack, jobSwapBack, jobTakeOut } from '../cron/take-back'
import { rulePutBack } from '../firewall/put-back'
import { ruleTakeOut, switchBack } from '../firewall/take-back'
import type { UndoKind } from '../undoable/kind'

const kinds = {
  [jobPutBack.name]: jobPutBack,
  [jobTakeOut.name]: jobTakeOut,
  [jobSwapBack.name]: jobSwapBack,
  [rulePutBack.name]: rulePutBack,
  [ruleTakeOut.name]: ruleTakeOut,
  [switchBack.name]: switchBack,
} satisfies Readonly<Record<string, UndoKind>>

const isKnown = (name: string): name is keyof typeof kinds => Object.hasOwn(kinds, name)

/** Null for a name that this version does not know. */
export const findKind = (name: string): UndoKind | null => (isKnown(name) ? kinds[name] : null)
