/** What a held request is called. */
import 'server-only'
import { findOperation } from '@/lib/contract'
import type { Operation } from '@/lib/contract/operation'
import { showBidiControls } from '@/lib/text/bidi'
import { toReadableName } from '@/lib/text/idn'
import type { HeldRequest } from '@/prisma/generated/portal/client'

/** "Delete a site: shop.example" */
const describe = ({ description }: Operation, name: string): string =>
  `${description.replace(/\.$/, '')}: ${showBidiControls(toReadableName(name))}`

/** The same for any request; that of a batch or of an action of Gatehouse is stored with it. */
export function whatOf({ kind, action, targetName }: Pick<HeldRequest, 'kind' | 'action' | 'targetName'>): string {
  const operation = kind === 'operation' ? findOperation(action) : undefined
  return operation ? describe(operation, targetName) : showBidiControls(targetName)
}
