-- AlterTable
ALTER TABLE "Machine" ADD COLUMN "upgradesAtNight" BOOLEAN NOT NULL DEFAULT false;

-- AlterTable
ALTER TABLE "InstallRun" ADD COLUMN "atNight" BOOLEAN NOT NULL DEFAULT false;
