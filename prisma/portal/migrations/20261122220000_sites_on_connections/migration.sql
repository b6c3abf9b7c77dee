-- CreateTable
CREATE TABLE "SiteOnConnection" (
    "siteId" TEXT NOT NULL,
    "connectionId" TEXT NOT NULL,
    "provenAt" DATETIME NOT NULL,

    PRIMARY KEY ("siteId", "connectionId"),
    CONSTRAINT "SiteOnConnection_siteId_fkey" FOREIGN KEY ("siteId") REFERENCES "Site" ("id") ON DELETE CASCADE ON UPDATE CASCADE,
    CONSTRAINT "SiteOnConnection_connectionId_fkey" FOREIGN KEY ("connectionId") REFERENCES "Connection" ("id") ON DELETE CASCADE ON UPDATE CASCADE
);

-- CreateIndex
CREATE INDEX "SiteOnConnection_connectionId_idx" ON "SiteOnConnection"("connectionId");

-- Which connection listed a site that is known already, nobody wrote down. Where exactly one connection of its team lists the
-- site's server at the same origin, no other account is in question, and that one is taken. Where several list it they may be of
-- different accounts (services put sites of many accounts on one server), and where the server is not known there is nothing to
-- go by: such a site belongs to no connection, and nobody acts on it, until a list shows it. No list is lost by that: no version
-- so far lists sites.
INSERT INTO "SiteOnConnection" ("siteId", "connectionId", "provenAt")
SELECT "Site"."id", min("listing"."connectionId"), min("Site"."listedAt", "listing"."provenAt")
FROM "Site"
JOIN "Server" ON "Server"."id" = "Site"."serverId" AND "Server"."teamId" = "Site"."teamId" AND "Server"."origin" = "Site"."origin"
JOIN "ServerOnConnection" AS "listing" ON "listing"."serverId" = "Server"."id"
JOIN "Connection" ON "Connection"."id" = "listing"."connectionId" AND "Connection"."teamId" = "Site"."teamId"
WHERE "Site"."goneAt" IS NULL
GROUP BY "Site"."id"
HAVING count(*) = 1;
