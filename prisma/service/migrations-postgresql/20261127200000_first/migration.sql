-- CreateEnum
CREATE TYPE "KekState" AS ENUM ('active', 'decryptOnly', 'retired');

-- CreateEnum
CREATE TYPE "Provider" AS ENUM ('ssh', 'sandbox');

-- CreateEnum
CREATE TYPE "MachineState" AS ENUM ('new', 'installing', 'ready', 'failed');

-- CreateEnum
CREATE TYPE "SiteState" AS ENUM ('creating', 'ready', 'failed');

-- CreateEnum
CREATE TYPE "RunState" AS ENUM ('running', 'done', 'failed');

-- CreateTable
CREATE TABLE "Account" (
    "id" TEXT NOT NULL,
    "name" TEXT NOT NULL,
    "createdAt" TIMESTAMP(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "Account_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "ApiKey" (
    "id" TEXT NOT NULL,
    "accountId" TEXT NOT NULL,
    "hash" TEXT NOT NULL,
    "createdAt" TIMESTAMP(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "lastUsedAt" TIMESTAMP(3),
    "revokedAt" TIMESTAMP(3),

    CONSTRAINT "ApiKey_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "Machine" (
    "id" TEXT NOT NULL,
    "accountId" TEXT NOT NULL,
    "provider" "Provider" NOT NULL,
    "name" TEXT NOT NULL,
    "dns" TEXT NOT NULL,
    "hostname" TEXT NOT NULL,
    "host" TEXT NOT NULL,
    "port" INTEGER NOT NULL,
    "user" TEXT NOT NULL,
    "region" TEXT NOT NULL,
    "type" TEXT NOT NULL,
    "ip" TEXT NOT NULL,
    "state" "MachineState" NOT NULL,
    "hostKey" TEXT NOT NULL,
    "publicKey" TEXT NOT NULL,
    "sealedKey" BYTEA,
    "createdAt" TIMESTAMP(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "removedAt" TIMESTAMP(3),
    "upgradesAtNight" BOOLEAN NOT NULL DEFAULT false,

    CONSTRAINT "Machine_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "Site" (
    "id" TEXT NOT NULL,
    "machineId" TEXT NOT NULL,
    "name" TEXT NOT NULL,
    "domain" TEXT NOT NULL,
    "state" "SiteState" NOT NULL,
    "deleting" BOOLEAN NOT NULL DEFAULT false,
    "createdAt" TIMESTAMP(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "usage" TEXT NOT NULL DEFAULT '',
    "answers" BOOLEAN,
    "ssl" BOOLEAN NOT NULL DEFAULT false,
    "expires" TEXT NOT NULL DEFAULT '',
    "address" TEXT NOT NULL DEFAULT '',
    "mx" TEXT NOT NULL DEFAULT '',
    "checkedAt" TIMESTAMP(3),
    "stagingOf" TEXT NOT NULL DEFAULT '',

    CONSTRAINT "Site_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "SiteAlias" (
    "siteId" TEXT NOT NULL,
    "domain" TEXT NOT NULL,
    "address" TEXT NOT NULL DEFAULT '',
    "mx" TEXT NOT NULL DEFAULT '',

    CONSTRAINT "SiteAlias_pkey" PRIMARY KEY ("siteId","domain")
);

-- CreateTable
CREATE TABLE "InstallRun" (
    "id" TEXT NOT NULL,
    "machineId" TEXT NOT NULL,
    "number" INTEGER NOT NULL,
    "operation" TEXT NOT NULL DEFAULT 'servers.install',
    "siteId" TEXT,
    "domain" TEXT NOT NULL DEFAULT '',
    "state" "RunState" NOT NULL,
    "startedAt" TIMESTAMP(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "endedAt" TIMESTAMP(3),
    "hostLines" INTEGER NOT NULL DEFAULT 0,
    "atNight" BOOLEAN NOT NULL DEFAULT false,
    "result" TEXT,

    CONSTRAINT "InstallRun_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "InstallEvent" (
    "machineId" TEXT NOT NULL,
    "id" INTEGER NOT NULL,
    "runId" TEXT NOT NULL,
    "at" TIMESTAMP(3) NOT NULL,
    "step" TEXT NOT NULL,
    "progress" INTEGER NOT NULL,
    "status" "RunState" NOT NULL,
    "message" TEXT NOT NULL,
    "error" TEXT,

    CONSTRAINT "InstallEvent_pkey" PRIMARY KEY ("machineId","id")
);

-- CreateTable
CREATE TABLE "SandboxState" (
    "machineId" TEXT NOT NULL,
    "model" TEXT NOT NULL,

    CONSTRAINT "SandboxState_pkey" PRIMARY KEY ("machineId")
);

-- CreateTable
CREATE TABLE "KeyCanary" (
    "kekId" TEXT NOT NULL,
    "state" "KekState" NOT NULL DEFAULT 'active',
    "sealed" BYTEA NOT NULL,
    "createdAt" TIMESTAMP(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "KeyCanary_pkey" PRIMARY KEY ("kekId")
);

-- CreateTable
CREATE TABLE "OwnBackup" (
    "half" TEXT NOT NULL,
    "attemptedAt" TIMESTAMP(3) NOT NULL,
    "reason" TEXT NOT NULL,
    "doneAt" TIMESTAMP(3),
    "bytes" DOUBLE PRECISION NOT NULL,
    "failures" INTEGER NOT NULL,

    CONSTRAINT "OwnBackup_pkey" PRIMARY KEY ("half")
);

-- CreateIndex
CREATE UNIQUE INDEX "Account_name_key" ON "Account"("name");

-- CreateIndex
CREATE UNIQUE INDEX "ApiKey_hash_key" ON "ApiKey"("hash");

-- CreateIndex
CREATE UNIQUE INDEX "Machine_accountId_hostKey_key" ON "Machine"("accountId", "hostKey");

-- CreateIndex
CREATE INDEX "Site_stagingOf_idx" ON "Site"("stagingOf");

-- CreateIndex
CREATE UNIQUE INDEX "Site_machineId_name_key" ON "Site"("machineId", "name");

-- CreateIndex
CREATE UNIQUE INDEX "Site_machineId_domain_key" ON "Site"("machineId", "domain");

-- CreateIndex
CREATE INDEX "SiteAlias_domain_idx" ON "SiteAlias"("domain");

-- CreateIndex
CREATE INDEX "InstallRun_siteId_idx" ON "InstallRun"("siteId");

-- CreateIndex
CREATE UNIQUE INDEX "InstallRun_machineId_number_key" ON "InstallRun"("machineId", "number");

-- CreateIndex
CREATE INDEX "InstallEvent_runId_id_idx" ON "InstallEvent"("runId", "id");

-- AddForeignKey
ALTER TABLE "ApiKey" ADD CONSTRAINT "ApiKey_accountId_fkey" FOREIGN KEY ("accountId") REFERENCES "Account"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "Machine" ADD CONSTRAINT "Machine_accountId_fkey" FOREIGN KEY ("accountId") REFERENCES "Account"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "Site" ADD CONSTRAINT "Site_machineId_fkey" FOREIGN KEY ("machineId") REFERENCES "Machine"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "SiteAlias" ADD CONSTRAINT "SiteAlias_siteId_fkey" FOREIGN KEY ("siteId") REFERENCES "Site"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "InstallRun" ADD CONSTRAINT "InstallRun_machineId_fkey" FOREIGN KEY ("machineId") REFERENCES "Machine"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "InstallEvent" ADD CONSTRAINT "InstallEvent_runId_fkey" FOREIGN KEY ("runId") REFERENCES "InstallRun"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "SandboxState" ADD CONSTRAINT "SandboxState_machineId_fkey" FOREIGN KEY ("machineId") REFERENCES "Machine"("id") ON DELETE CASCADE ON UPDATE CASCADE;
