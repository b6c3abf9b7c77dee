-- AlterTable
ALTER TABLE "Site" ADD COLUMN     "backupAt" TEXT,
ADD COLUMN     "php" TEXT NOT NULL DEFAULT '';
