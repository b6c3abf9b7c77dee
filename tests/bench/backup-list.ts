/** The page of all backups with ten thousand sites, each of which has been copied to two targets every night of a week. */
import { visitForeign } from '../support/foreign-visit'
import type { Place } from '../support/gatehouse-process'
import { query } from '../support/place-database'
import { measureLongList } from './long-list'
import type { Section } from './report'
import { addManySites } from './site-list'

const nights = 7

export async function measureBackupList(): Promise<Section> {
  await using visit = await visitForeign({ extensions: true })
  const { upstream, visitor, place } = visit
  const { origin } = new URL(visit.url)
  addManySites(upstream)
  const { page } = visitor
  await page.goto(`${origin}/sites`)
  await page.locator('main p[role=status]', { hasText: '10,000' }).first().waitFor({ timeout: 120_000 })
  await addCopies(place)
  return {
    title: 'Backups of 10,000 sites',
    how: `Sites of one service, with ${nights} copies in each of two targets; keys and frames as Chromium itself counts them, drawing without a graphics card.`,
    figures: await measureLongList(visitor, { url: origin, noun: 'site', path: 'backups', typed: 'harbour 1', firstRowMs: 1000 }),
  }
}

async function addCopies(place: Place): Promise<void> {
  for (const target of ['near', 'far']) {
    await query(
      place,
      'portal',
      `INSERT INTO "BackupTarget" ("id", "teamId", "label", "kind", "address", "sealed", "kekId", "secretVersion", "checkedAt")
       SELECT '${target}', "id", '${target}', 's3', '{}', x'', '', 1, '2026-11-28T00:00:00.000Z' FROM "Team"`,
    )
    await query(
      place,
      'portal',
      `INSERT INTO "BackupRepository" ("id", "targetId", "serverId", "serverName", "sealed", "kekId")
       SELECT '${target}-1', '${target}', "id", "name", x'', '' FROM "Server" LIMIT 1`,
    )
    for (let night = 0; night < nights; night += 1) {
      const at = new Date(Date.now() - (night + 0.2) * 86_400_000).toISOString()
      await query(
        place,
        'portal',
        `INSERT INTO "BackupCopy" ("id", "repositoryId", "siteId", "domain", "state", "startedAt")
         SELECT '${target} ${night} ' || "id", '${target}-1', "id", "domain", 'done', '${at}' FROM "Site"`,
      )
    }
  }
}
