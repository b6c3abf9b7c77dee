/** What a held request will send, encrypted in its row: only this file reads and writes it. */
import 'server-only'
import * as z from 'zod'
import { bindHeld, type HeldIdentity } from '@/lib/portal/custody/binding'
import { openUnderRing, SealBroken, sealUnderRing } from '@/lib/portal/custody/ring'
import { type HeldRequest, Role } from '@/prisma/generated/portal/client'

/** approvedIn: the session of whoever approved it, if it is sent at a chosen time. */
const approvedIn = z.string().optional()

const heldOperation = z.object({
  kind: z.literal('operation'),
  fields: z.record(z.string(), z.union([z.string(), z.boolean(), z.array(z.string())])),
  confirmName: z.string().optional(),
  about: z.string().optional(),
  undoes: z.string().optional(),
  repeatOf: z.string().optional(),
  approvedIn,
})

const heldBatch = z.object({
  kind: z.literal('batch'),
  targets: z.array(
    z.object({ id: z.string(), name: z.string(), fields: z.record(z.string(), z.string()), repeatOf: z.string().optional() }),
  ),
  mode: z.string(),
  atOnce: z.string(),
  confirmName: z.string(),
  approvedIn,
})

const heldOwn = z.object({
  kind: z.literal('own'),
  fields: z.record(z.string(), z.string()),
  now: z.record(z.string(), z.string()),
  needs: z.object({
    subject: z.enum(['servers', 'team', 'teamConnections', 'ownConnections', 'auditLog']),
    effect: z.enum(['read', 'export', 'change', 'destroy']),
  }),
  touches: z.array(z.enum(Role)),
  full: z.boolean(),
  concerns: z.array(z.string()).default([]),
  approvedIn,
})

const heldContent = z.discriminatedUnion('kind', [heldOperation, heldBatch, heldOwn])

/** An operation of a service, as the spine got it. */
export type HeldOperation = z.infer<typeof heldOperation>

/** Several of them, with their list. The row names the operation. */
export type HeldBatch = z.infer<typeof heldBatch>

/** A change of Gatehouse itself, from the fields of its form. */
export type HeldOwn = z.infer<typeof heldOwn>

export type HeldContent = z.infer<typeof heldContent>

/** Throws if the content is not of a form that can be held. */
export function sealHeld(row: HeldIdentity, content: HeldContent): Promise<{ sealed: Uint8Array<ArrayBuffer>; kekId: string }> {
  return sealUnderRing(Buffer.from(JSON.stringify(heldContent.parse(content))), bindHeld(row))
}

/** Null if it has ended, or if the row or its content were altered. */
export async function openHeld(row: HeldIdentity & Pick<HeldRequest, 'sealed'>): Promise<HeldContent | null> {
  if (row.sealed === null) return null
  try {
    const content = await openUnderRing(row.sealed, bindHeld(row))
    const read = heldContent.safeParse(JSON.parse(content.toString('utf8')))
    content.fill(0)
    return read.success ? read.data : null
  } catch (error) {
    if (error instanceof SealBroken) return null
    throw error
  }
}
