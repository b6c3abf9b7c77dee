-- DropForeignKey
ALTER TABLE "NightCopy" DROP CONSTRAINT "NightCopy_siteId_fkey";
