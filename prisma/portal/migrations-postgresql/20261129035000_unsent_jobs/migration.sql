-- AlterTable
ALTER TABLE "Job" ADD COLUMN     "unsent" BOOLEAN NOT NULL DEFAULT false;
