/** The operations of the contract that a page may read by /api/operations: those that read one server or site. */
import type { contract } from '@/lib/contract'
import type { Answer, Input, OperationDefinition } from '@/lib/contract/operation'

type Subjects = typeof contract

type AnyOperation = { [Subject in keyof Subjects]: Subjects[Subject][keyof Subjects[Subject]] }[keyof Subjects]

/** What a path is aimed at, by the portal's own ids. */
type TargetOf<Path extends string> = Path extends `${string}{server_id}${string}`
  ? { serverId: string }
  : Path extends `${string}{site_id}${string}`
    ? { siteId: string }
    : never

type Readable = Extract<
  AnyOperation,
  OperationDefinition & { id: string; effect: 'read'; path: `${string}{${'server' | 'site'}_id}${string}` }
>

/** By id: what the operation is aimed at, its fields with it, and what it answers. */
export type OperationReads = {
  [One in Readable as One['id']]: {
    target: Readonly<TargetOf<One['path']> & Omit<Input<One>, 'server_id' | 'site_id'>>
    answer: Answer<One>
  }
}

export type ReadId = keyof OperationReads
