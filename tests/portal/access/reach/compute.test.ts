/** The table of who can do what, compared with a walk through everything, and its rows. */
import { expect, test } from 'vitest'
import { operations } from '@/lib/contract'
import { needOf } from '@/lib/portal/access/grants/needs'
import { applyChange } from '@/lib/portal/access/reach/change'
import { computeReach, includes } from '@/lib/portal/access/reach/compute'
import { openChance, seededRuns } from '@/tests/support/seeds'
import { people, places } from '../grants/random'
import { oracleChanged, oracleReaches } from './oracle'
import { makeChange, makeTeam } from './random'

/** What can be decided at a place: the operation acts on such a place. */
const questions = operations.flatMap((operation) => {
  const kind = operation.path.includes('{server_id}') ? 'server' : operation.path.includes('{site_id}') ? 'site' : null
  const acts = kind ?? (operation.id === 'sites.create' ? 'server' : operation.id === 'servers.create' ? 'everywhere' : null)
  return places.filter((place) => place.kind === acts).map((place) => ({ need: needOf(operation), place }))
})

const teams = 10_000
const asked = 4

test(`in ${teams} random teams, the table says who can do what as a walk through everything does`, () => {
  const chance = openChance()
  const answers = { can: 0, cannot: 0, lent: 0 }
  for (let run = 0; run < teams; run += 1) {
    const { team, now } = makeTeam(chance)
    const rows = computeReach(team, now)
    for (let index = 0; index < asked; index += 1) {
      const [userId, { need, place }] = [chance.pick(people), chance.pick(questions)]
      const through = rows.filter((row) => row.userId === userId && includes(row, need.id, place))
      const expected = oracleReaches(team, userId, need, place, now)
      if (through.length > 0 !== expected) {
        expect.fail(`SEED=${chance.seed}, run ${run}: ${JSON.stringify({ expected, userId, need, place, now, team })}`)
      }
      answers[expected ? 'can' : 'cannot'] += 1
      if (through.length > 0 && through.every(({ loanId }) => loanId !== null)) answers.lent += 1
    }
  }
  process.stdout.write(`SEED=${chance.seed}: ${JSON.stringify(answers)}\n`)
  expect(Math.min(...Object.values(answers)), `SEED=${chance.seed}`).toBeGreaterThan((teams * asked) / 200)
})

test(`in ${teams} random teams, the table after a change that is not saved says what a walk through the changed team does`, () => {
  const chance = openChance()
  const answers = { same: 0, gained: 0, lost: 0 }
  for (let run = 0; run < teams; run += 1) {
    const { team, now } = makeTeam(chance)
    const change = makeChange(chance, team)
    const [rows, saved] = [computeReach(applyChange(team, change), now), oracleChanged(team, change)]
    for (let index = 0; index < asked; index += 1) {
      const [userId, { need, place }] = [chance.pick(people), chance.pick(questions)]
      const listed = rows.some((row) => row.userId === userId && includes(row, need.id, place))
      const [before, expected] = [oracleReaches(team, userId, need, place, now), oracleReaches(saved, userId, need, place, now)]
      if (listed !== expected) {
        expect.fail(`SEED=${chance.seed}, run ${run}: ${JSON.stringify({ expected, change, userId, need, place, now, team })}`)
      }
      answers[before === expected ? 'same' : expected ? 'gained' : 'lost'] += 1
    }
  }
  process.stdout.write(`SEED=${chance.seed}: ${JSON.stringify(answers)}\n`)
  expect(Math.min(...Object.values(answers)), `SEED=${chance.seed}`).toBeGreaterThan(teams / 500)
})

test('each row names a grant, and a loan if there is one, that alone give what the row says', () => {
  const chance = openChance()
  for (let run = 0; run < seededRuns(2_000); run += 1) {
    const { team, now } = makeTeam(chance)
    for (const row of computeReach(team, now)) {
      const alone = {
        ...team,
        grants: team.grants.filter(({ id }) => id === row.grantId),
        loans: team.loans.filter(({ id }) => id === row.loanId),
        keys: team.keys.filter(({ id }) => row.keyIds.includes(id)),
      }
      const { need, place } = chance.pick(questions)
      if (!includes(row, need.id, place)) continue
      expect(oracleReaches(alone, row.userId, need, place, now), `SEED=${chance.seed}, run ${run}`).toBe(true)
      const ends = [row.from <= now, row.until === null || now < row.until]
      expect(ends, `SEED=${chance.seed}, run ${run}`).toEqual([true, true])
    }
  }
})
