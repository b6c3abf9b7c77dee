/** The firewall of a server: turning it on and off, and its rules. */

import * as z from 'zod'
import { ruleAction, ruleId, ruleProtocol, status, text } from '@/lib/contract/fields'
import { done, flag, id, listOf, text as string } from '@/lib/contract/members'
import { operation, subject } from '@/lib/contract/operation'

const rule = z.object({ id, port: string, protocol: string, v6: string, action: string, from: string })

export const firewall = subject('firewall', {
  get: operation({
    method: 'GET',
    path: '/servers/{server_id}/firewall',
    fields: {},
    answer: z.object({ active: flag, rules: listOf(rule) }),
    effect: 'read',
    pace: 'quick',
    description: 'Show the firewall of a server.',
  }),
  toggle: operation({
    method: 'POST',
    path: '/servers/{server_id}/savesystemuser',
    fields: { status },
    answer: done,
    effect: 'change',
    undoable: true,
    root: true,
    pace: 'quick',
    description: 'Turn the firewall on or off.',
  }),
  saveRule: operation({
    method: 'POST',
    path: '/servers/{server_id}/savefirewallrule',
    // before: ids of the rules to insert it before, one of each family, or `end`. Without it, the service chooses the position.
    fields: { action: ruleAction, from: text(), port: text(), protocol: ruleProtocol, before: { kind: 'list', extension: true } },
    answer: done,
    effect: 'change',
    undoable: true,
    root: true,
    pace: 'quick',
    description: 'Save a firewall rule.',
  }),
  deleteRule: operation({
    method: 'POST',
    path: '/servers/{server_id}/deletefirewallrule',
    fields: { id: ruleId },
    answer: done,
    effect: 'change',
    undoable: true,
    root: true,
    pace: 'quick',
    description: 'Delete a firewall rule.',
  }),
})
