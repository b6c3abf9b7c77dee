/** A rule about what comes in, in the four words that the interface has for it. */
import { isSeveral, type Ports, parsePorts, sayPorts } from './ports'
import { type From, parseFrom } from './source'

export const actions = ['allow', 'deny', 'reject', 'limit'] as const
export type Action = (typeof actions)[number]

export const protocols = ['any', 'tcp', 'udp'] as const
export type Protocol = (typeof protocols)[number]

export type Rule = { action: Action; protocol: Protocol; ports: Ports; from: From }

/** As a service tells a rule, or a form asks for one. */
export type RuleWords = { action: string; protocol: string; port: string; from: string }

/** A reading of each word; undefined for what it cannot mean. */
function readWords({ action, protocol, port, from }: RuleWords) {
  const [act, proto] = [action.trim().toLowerCase().replace(/ in$/, ''), protocol.trim().toLowerCase()]
  return {
    action: actions.find((known) => known === act),
    protocol: proto === '' ? ('any' as const) : protocols.find((known) => known === proto),
    ports: parsePorts(port),
    from: parseFrom(from),
  }
}

/** Null for a rule that says more than these words, or something else. */
export function readRule(words: RuleWords): Rule | null {
  const { action, protocol, ports, from } = readWords(words)
  return action && protocol && ports !== undefined && from !== undefined ? { action, protocol, ports, from } : null
}

/** Why words that are asked for make no rule, by field; empty where they do. What was left out is not taken for any: that would open too much. */
export function ruleRefusals(words: RuleWords): Record<string, string> {
  const read = readWords(words)
  const given = <Value>(word: string, value: Value) => (word.trim() === '' ? undefined : value)
  const { action } = read
  const [protocol, ports, from] = [given(words.protocol, read.protocol), given(words.port, read.ports), given(words.from, read.from)]
  const several = ports !== undefined && isSeveral(ports) && protocol === 'any'
  return {
    ...(action ? {} : { action: 'Give allow, deny, reject or limit.' }),
    ...(protocol ? {} : { protocol: 'Give tcp, udp or any.' }),
    ...(several ? { protocol: 'Several ports need a protocol: tcp or udp.' } : {}),
    ...(ports === undefined ? { port: 'Give a port from 1 to 65535, a list such as 80,443, a range such as 6000:6007, or any.' } : {}),
    ...(from === undefined ? { from: 'Give an address such as 192.0.2.7, a network such as 10.0.0.0/8, or any.' } : {}),
  }
}

/** The words that our own service uses. */
export const sayRule = ({ action, protocol, ports, from }: Rule): RuleWords => ({
  action,
  protocol,
  port: sayPorts(ports),
  from: from?.text ?? 'any',
})

/** Whether two rules are about the same traffic, whatever they do with it. */
export function sameTraffic(one: Rule, other: Rule): boolean {
  const [a, b] = [sayRule(one), sayRule(other)]
  return a.protocol === b.protocol && a.port === b.port && a.from === b.from
}
