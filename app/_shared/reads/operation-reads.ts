/** The operations of the contract that a page may call through /api/operations: reads of one server or site. */
import type { contract } from '@/lib/contract/index'
import type { Answer, Input, OperationDefinition } from '@/lib/contract/operation'

type Subjects = typeof contract

type AnyOperation = { [Subject in keyof Subjects]: Subjects[Subject][keyof Subjects[Subject]] }[keyof Subjects]

/** The target of a path, by the portal's own ids. */
type TargetOf<Path extends string> = Path extends `${string}{server_id}${string}`
  ? { serverId: string }
  : Path extends `${string}{site_id}${string}`
    ? { siteId: string }
    : never

type Readable = Extract<
  AnyOperation,
  OperationDefinition & { id: string; effect: 'read'; path: `${string}{${'server' | 'site'}_id}${string}` }
>

/** By id: the operation's target with its fields, and its answer. */
export type OperationReads = {
  [One in Readable as One['id']]: {
    target: Readonly<TargetOf<One['path']> & Omit<Input<One>, 'server_id' | 'site_id'>>
    answer: Answer<One>
  }
}

export type ReadId = keyof OperationReads
