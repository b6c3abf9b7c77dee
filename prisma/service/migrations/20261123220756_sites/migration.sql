-- CreateTable
CREATE TABLE "Site" (
    "id" TEXT NOT NULL PRIMARY KEY,
    "machineId" TEXT NOT NULL,
    "name" TEXT NOT NULL,
    "domain" TEXT NOT NULL,
    "state" TEXT NOT NULL,
    "deleting" BOOLEAN NOT NULL DEFAULT false,
    "createdAt" DATETIME NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "usage" TEXT NOT NULL DEFAULT '',
    "answers" BOOLEAN,
    "address" TEXT NOT NULL DEFAULT '',
    "mx" TEXT NOT NULL DEFAULT '',
    "checkedAt" DATETIME,
    CONSTRAINT "Site_machineId_fkey" FOREIGN KEY ("machineId") REFERENCES "Machine" ("id") ON DELETE CASCADE ON UPDATE CASCADE
);

-- CreateTable
CREATE TABLE "SiteAlias" (
    "siteId" TEXT NOT NULL,
    "domain" TEXT NOT NULL,
    "address" TEXT NOT NULL DEFAULT '',
    "mx" TEXT NOT NULL DEFAULT '',

    PRIMARY KEY ("siteId", "domain"),
    CONSTRAINT "SiteAlias_siteId_fkey" FOREIGN KEY ("siteId") REFERENCES "Site" ("id") ON DELETE CASCADE ON UPDATE CASCADE
);

-- Columns are added one by one: a copy of the table would delete the events that refer to it.
ALTER TABLE "InstallRun" ADD COLUMN "operation" TEXT NOT NULL DEFAULT 'servers.install';
ALTER TABLE "InstallRun" ADD COLUMN "siteId" TEXT;
ALTER TABLE "InstallRun" ADD COLUMN "domain" TEXT NOT NULL DEFAULT '';
ALTER TABLE "InstallRun" ADD COLUMN "result" TEXT;

-- CreateIndex
CREATE INDEX "InstallRun_siteId_idx" ON "InstallRun"("siteId");

-- CreateIndex
CREATE UNIQUE INDEX "Site_machineId_name_key" ON "Site"("machineId", "name");

-- CreateIndex
CREATE UNIQUE INDEX "Site_machineId_domain_key" ON "Site"("machineId", "domain");

-- CreateIndex
CREATE INDEX "SiteAlias_domain_idx" ON "SiteAlias"("domain");
