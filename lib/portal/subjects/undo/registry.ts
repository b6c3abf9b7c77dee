/** All kinds of undoable changes. A new kind is one file in its subject and a line here. */
import 'server-only'
import { undoAliasDelete } from '../aliases/undo-delete'
import { undoJobAdd, undoJobDelete, undoJobReplace } from '../cron/undo-kinds'
import { undoAddressAdd, undoAddressDelete, undoForward } from '../email/undo-addresses'
import { undoEmailSwitch } from '../email/undo-switch'
import { undoRuleDelete } from '../firewall/undo-delete'
import { undoFirewallSwitch, undoRuleAdd } from '../firewall/undo-save'
import { undoKeyAdd, undoKeyRemoval } from '../sftp/undo-keys'
import { undoConfigure } from '../site-settings/undo-configure'
import { undoSslSwitch } from '../ssl/undo-set'
import { undoAccess } from '../team/access/undo-access'
import type { UndoKind } from '../undoable/kind'
import type { OwnUndoKind } from '../undoable/own-kind'

const kinds = {
  [undoJobDelete.name]: undoJobDelete,
  [undoJobAdd.name]: undoJobAdd,
  [undoJobReplace.name]: undoJobReplace,
  [undoRuleDelete.name]: undoRuleDelete,
  [undoRuleAdd.name]: undoRuleAdd,
  [undoFirewallSwitch.name]: undoFirewallSwitch,
  [undoAliasDelete.name]: undoAliasDelete,
  [undoSslSwitch.name]: undoSslSwitch,
  [undoConfigure.name]: undoConfigure,
  [undoEmailSwitch.name]: undoEmailSwitch,
  [undoAddressDelete.name]: undoAddressDelete,
  [undoAddressAdd.name]: undoAddressAdd,
  [undoForward.name]: undoForward,
  [undoKeyAdd.name]: undoKeyAdd,
  [undoKeyRemoval.name]: undoKeyRemoval,
} satisfies Readonly<Record<string, UndoKind>>

const isKnown = (name: string): name is keyof typeof kinds => Object.hasOwn(kinds, name)

/** Null for a name that this version does not know. */
export const findKind = (name: string): UndoKind | null => (isKnown(name) ? kinds[name] : null)

const ownKinds = { [undoAccess.name]: undoAccess } satisfies Readonly<Record<string, OwnUndoKind>>

const isOwn = (name: string): name is keyof typeof ownKinds => Object.hasOwn(ownKinds, name)

/** The same for changes that the portal makes itself. */
export const findOwnKind = (name: string): OwnUndoKind | null => (isOwn(name) ? ownKinds[name] : null)
