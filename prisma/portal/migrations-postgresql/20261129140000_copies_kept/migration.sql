-- From now on old copies are deleted from these targets too. Their schedules were set where all copies were kept, so they keep the most until they are set again.
UPDATE "BackupPlan" SET "keepDaily" = 366, "keepWeekly" = 520, "keepMonthly" = 240
WHERE "targetId" IN (SELECT "id" FROM "BackupTarget" WHERE "kind"::text IN ('sftp', 'folder'));
