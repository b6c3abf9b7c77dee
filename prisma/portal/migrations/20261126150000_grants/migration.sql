-- CreateTable
CREATE TABLE "Grant" (
    "id" TEXT NOT NULL PRIMARY KEY,
    "teamId" TEXT NOT NULL,
    "userId" TEXT,
    "role" TEXT,
    "subjects" TEXT NOT NULL,
    "effects" TEXT NOT NULL,
    "operations" TEXT NOT NULL DEFAULT '',
    "root" BOOLEAN NOT NULL DEFAULT false,
    "validFrom" DATETIME NOT NULL,
    "until" DATETIME,
    "why" TEXT NOT NULL DEFAULT '',
    "givenById" TEXT,
    "createdAt" DATETIME NOT NULL DEFAULT CURRENT_TIMESTAMP,
    CONSTRAINT "Grant_teamId_fkey" FOREIGN KEY ("teamId") REFERENCES "Team" ("id") ON DELETE CASCADE ON UPDATE CASCADE,
    CONSTRAINT "Grant_userId_teamId_fkey" FOREIGN KEY ("userId", "teamId") REFERENCES "Membership" ("userId", "teamId") ON DELETE CASCADE ON UPDATE CASCADE
);

-- CreateTable
CREATE TABLE "GrantScope" (
    "grantId" TEXT NOT NULL,
    "kind" TEXT NOT NULL,
    "about" TEXT NOT NULL DEFAULT '',

    PRIMARY KEY ("grantId", "kind", "about"),
    CONSTRAINT "GrantScope_grantId_fkey" FOREIGN KEY ("grantId") REFERENCES "Grant" ("id") ON DELETE CASCADE ON UPDATE CASCADE
);

-- CreateIndex
CREATE INDEX "Grant_teamId_idx" ON "Grant"("teamId");

-- CreateIndex
CREATE INDEX "Grant_userId_teamId_idx" ON "Grant"("userId", "teamId");

-- CreateIndex
CREATE INDEX "GrantScope_kind_about_idx" ON "GrantScope"("kind", "about");

-- AlterTable
ALTER TABLE "Invitation" ADD COLUMN "everything" BOOLEAN NOT NULL DEFAULT true;

-- Nobody's rights change by the upgrade: every membership, also one that has ended, gets a grant of everything, which its role limits as
-- before. Both ids are random, so that half of each is as good as a new one.
INSERT INTO "Grant" ("id", "teamId", "userId", "subjects", "effects", "root", "validFrom", "why", "createdAt")
SELECT substr("userId", 1, 11) || substr("teamId", 1, 11), "teamId", "userId", '*', 'read,export,change,destroy', true, "createdAt",
  'Had this before Gatehouse had grants.', "createdAt"
FROM "Membership";

INSERT INTO "GrantScope" ("grantId", "kind", "about") SELECT "id", 'everything', '' FROM "Grant";
