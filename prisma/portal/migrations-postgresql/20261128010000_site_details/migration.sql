-- AlterTable
ALTER TABLE "Site" ADD COLUMN     "details" TEXT NOT NULL DEFAULT '{}';

-- The list is the same before and after: no service has to answer first.
UPDATE "Site" SET "details" = CAST(json_build_object('usage', "usage", 'address', "address", 'mx', "mx", 'staging', "staging") AS text);

-- AlterTable
ALTER TABLE "Site" DROP COLUMN "usage",
DROP COLUMN "address",
DROP COLUMN "mx",
DROP COLUMN "staging";
