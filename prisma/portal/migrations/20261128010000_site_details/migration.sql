-- AlterTable
ALTER TABLE "Site" ADD COLUMN "details" TEXT NOT NULL DEFAULT '{}';

-- The list is the same before and after: no service has to answer first.
UPDATE "Site" SET "details" = json_object('usage', "usage", 'address', "address", 'mx', "mx", 'staging', "staging");

-- AlterTable
ALTER TABLE "Site" DROP COLUMN "usage";
ALTER TABLE "Site" DROP COLUMN "address";
ALTER TABLE "Site" DROP COLUMN "mx";
ALTER TABLE "Site" DROP COLUMN "staging";
