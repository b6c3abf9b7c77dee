-- AlterTable
ALTER TABLE "BackupPlan" ADD COLUMN "keepDaily" INTEGER NOT NULL DEFAULT 7;
ALTER TABLE "BackupPlan" ADD COLUMN "keepWeekly" INTEGER NOT NULL DEFAULT 4;
ALTER TABLE "BackupPlan" ADD COLUMN "keepMonthly" INTEGER NOT NULL DEFAULT 6;

-- CreateTable
CREATE TABLE "CopyPruning" (
    "repositoryId" TEXT NOT NULL,
    "place" TEXT NOT NULL,
    "night" TEXT NOT NULL,
    "state" TEXT NOT NULL,
    "attempts" INTEGER NOT NULL DEFAULT 0,
    "dueAt" DATETIME NOT NULL,
    "lastGood" TEXT NOT NULL DEFAULT '',
    "problem" TEXT NOT NULL DEFAULT '',

    PRIMARY KEY ("repositoryId", "place"),
    CONSTRAINT "CopyPruning_repositoryId_fkey" FOREIGN KEY ("repositoryId") REFERENCES "BackupRepository" ("id") ON DELETE CASCADE ON UPDATE CASCADE
);
