-- AlterTable
ALTER TABLE "Invitation" ADD COLUMN "approved" BOOLEAN NOT NULL DEFAULT false;

-- AlterTable
ALTER TABLE "OneTimeLink" ADD COLUMN "approved" BOOLEAN NOT NULL DEFAULT false;
