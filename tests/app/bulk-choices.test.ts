/** What the list of servers offers for a selection, by what the services of the servers announce. */
import { expect, test } from 'vitest'
import { type OfferedChoice, offerChoices } from '@/app/(portal)/servers/bulk-actions'
import { describeDeletion } from '@/app/(portal)/sites/bulk-actions'

const bundled = (id: string) => ({ id, name: id, extensions: true })
const foreign = (id: string) => ({ id, name: id, extensions: false })

const offerAll = (selected: Parameters<typeof offerChoices>[0]) => offerChoices(selected, () => true)

const labelsOf = (choices: readonly OfferedChoice[]) => choices.map(({ label }) => label)

const find = (choices: readonly OfferedChoice[], label: string) => choices.find((choice) => choice.label === label)

test('servers of a service without extensions are offered what it can do, with what their own pages say', () => {
  const choices = offerAll([foreign('a'), foreign('b')])
  expect(labelsOf(choices)).toEqual(['Check now', 'Install', 'Delete'])
  expect(find(choices, 'Install')?.description).toBe('The service decides what an install sets up.')
  expect(find(choices, 'Delete')?.description).toBe(
    'They are removed from the service and from this list. The service decides what happens on the servers.',
  )
})

test('servers of a service with extensions are offered everything, and nothing is left out', () => {
  const choices = offerAll([bundled('a'), bundled('b')])
  expect(choices).toHaveLength(7)
  expect(choices.every(({ left, ids }) => left === 0 && ids.length === 2)).toBe(true)
  expect(find(choices, 'Delete')?.description).toContain('keep running')
})

test('among servers of both kinds an extension runs on those that can, and the others are counted', () => {
  const choices = offerAll([bundled('a'), foreign('b'), bundled('c'), foreign('d')])
  expect(find(choices, 'Reboot')).toMatchObject({
    ids: ['a', 'c'],
    left: 2,
    description: expect.stringContaining('2 servers that you selected are left out: the service does not offer this.'),
  })
  expect(find(choices, 'Delete')).toMatchObject({
    ids: ['a', 'b', 'c', 'd'],
    left: 0,
    description: expect.stringContaining('For 2 of them this does not hold'),
  })
})

test('what a service does with the files of deleted sites is promised only for one that is known', () => {
  expect(describeDeletion([bundled('a')])).toContain('databases, email and backups are deleted')
  expect(describeDeletion([foreign('a')])).toBe(
    'The sites are removed from the service, which decides what happens to their files and databases. This cannot be undone.',
  )
  const mixed = describeDeletion([bundled('a'), foreign('b'), foreign('c')])
  expect(mixed).toContain('For 2 of them')
  expect(mixed).toContain('decides what happens')
})
