-- CreateEnum
CREATE TYPE "UndoSubject" AS ENUM ('server', 'site', 'connection', 'grant');

-- CreateEnum
CREATE TYPE "HeldKind" AS ENUM ('operation', 'batch', 'own');

-- CreateEnum
CREATE TYPE "HeldState" AS ENUM ('waiting', 'approved', 'ready', 'sending', 'sent', 'failed', 'unknown', 'refused', 'withdrawn', 'expired');

-- CreateEnum
CREATE TYPE "Theme" AS ENUM ('light', 'dark');

-- CreateEnum
CREATE TYPE "Density" AS ENUM ('comfortable', 'compact');

-- CreateEnum
CREATE TYPE "Role" AS ENUM ('owner', 'admin', 'operator', 'viewer', 'guest');

-- CreateEnum
CREATE TYPE "GrantScopeKind" AS ENUM ('everything', 'server', 'site', 'label');

-- CreateEnum
CREATE TYPE "AskedPlaceKind" AS ENUM ('server', 'site', 'nowhere');

-- CreateEnum
CREATE TYPE "AccessRequestState" AS ENUM ('open', 'approved', 'refused', 'withdrawn', 'expired', 'closed');

-- CreateEnum
CREATE TYPE "LinkPurpose" AS ENUM ('setup', 'recover', 'reset', 'email');

-- CreateEnum
CREATE TYPE "SessionAwaits" AS ENUM ('secondFactor', 'secondFactorSetup');

-- CreateEnum
CREATE TYPE "SignInMethod" AS ENUM ('password', 'passkey', 'singleSignOn');

-- CreateEnum
CREATE TYPE "PasskeyChallengeKind" AS ENUM ('register', 'signIn', 'stepUp');

-- CreateEnum
CREATE TYPE "NotificationKind" AS ENUM ('invitation_accepted', 'new_device', 'key_refused', 'key_frozen', 'key_thawed', 'membership_ending', 'access_given', 'access_changed', 'access_ending', 'access_ended', 'connection_lent', 'loan_changed', 'loan_ending', 'loan_ended', 'access_asked', 'access_answered', 'owners_changed', 'password_reset', 'email_changed', 'second_factor_removed', 'sign_in_method_changed', 'server_unreachable', 'server_reachable', 'disk_full_soon', 'certificates_failing', 'job_failed', 'batch_incomplete', 'channel_off', 'backup_late', 'updates_waiting', 'certificate_ending', 'approval_wanted', 'approval_decided', 'approval_passed');

-- CreateEnum
CREATE TYPE "ChannelKind" AS ENUM ('mail', 'webhook', 'slack', 'ntfy');

-- CreateEnum
CREATE TYPE "DeliveryKind" AS ENUM ('events', 'digest', 'test');

-- CreateEnum
CREATE TYPE "DeliveryState" AS ENUM ('waiting', 'done', 'failed', 'dropped');

-- CreateEnum
CREATE TYPE "ConnectionKind" AS ENUM ('bundled', 'foreign');

-- CreateEnum
CREATE TYPE "ConnectionState" AS ENUM ('untried', 'working', 'rejected', 'locked');

-- CreateEnum
CREATE TYPE "KekSource" AS ENUM ('file', 'env');

-- CreateEnum
CREATE TYPE "KekState" AS ENUM ('pending', 'active', 'decrypt-only', 'retired');

-- CreateEnum
CREATE TYPE "SecretPurpose" AS ENUM ('audit', 'auditHead', 'fingerprint', 'approval');

-- CreateEnum
CREATE TYPE "FindingKind" AS ENUM ('unreachable', 'failed_units', 'failing_certificates', 'foreign_links', 'firewall_off', 'reboot_required', 'outdated_sites', 'security_updates');

-- CreateEnum
CREATE TYPE "LabelSubject" AS ENUM ('server', 'site');

-- CreateEnum
CREATE TYPE "JobState" AS ENUM ('running', 'done', 'failed', 'interrupted', 'unknown', 'cancelled');

-- CreateEnum
CREATE TYPE "BatchMode" AS ENUM ('goOn', 'stopAtFailure', 'firstAlone');

-- CreateEnum
CREATE TYPE "BatchTargetState" AS ENUM ('waiting', 'running', 'done', 'failed', 'cancelled', 'unknown', 'skipped');

-- CreateEnum
CREATE TYPE "AuditActorKind" AS ENUM ('user', 'token', 'gatehouse', 'server', 'nobody', 'operator');

-- CreateEnum
CREATE TYPE "AuditObjectKind" AS ENUM ('server', 'site', 'connection', 'job', 'batch', 'undo', 'heldRequest', 'user', 'session', 'team', 'invitation', 'key', 'portal');

-- CreateEnum
CREATE TYPE "AuditStage" AS ENUM ('intent', 'outcome', 'event');

-- CreateEnum
CREATE TYPE "AuditOutcome" AS ENUM ('asked', 'done', 'failed', 'unknown', 'denied', 'tamper');

-- CreateTable
CREATE TABLE "Team" (
    "id" TEXT NOT NULL,
    "name" TEXT NOT NULL,
    "createdAt" TIMESTAMP(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "requiresSecondFactor" BOOLEAN NOT NULL DEFAULT false,
    "requiresSingleSignOn" BOOLEAN NOT NULL DEFAULT false,
    "idleMinutes" INTEGER NOT NULL DEFAULT 30,
    "secondPersonFor" TEXT NOT NULL DEFAULT '',

    CONSTRAINT "Team_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "User" (
    "id" TEXT NOT NULL,
    "email" TEXT NOT NULL,
    "name" TEXT NOT NULL,
    "passwordHash" TEXT,
    "passwordById" TEXT,
    "emailProvenAt" TIMESTAMP(3),
    "theme" "Theme",
    "density" "Density",
    "timeZone" TEXT,
    "disabledAt" TIMESTAMP(3),
    "createdAt" TIMESTAMP(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "User_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "Membership" (
    "userId" TEXT NOT NULL,
    "teamId" TEXT NOT NULL,
    "role" "Role" NOT NULL,
    "endsAt" TIMESTAMP(3),
    "createdAt" TIMESTAMP(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "firstMailAt" TIMESTAMP(3),

    CONSTRAINT "Membership_pkey" PRIMARY KEY ("userId","teamId")
);

-- CreateTable
CREATE TABLE "Grant" (
    "id" TEXT NOT NULL,
    "teamId" TEXT NOT NULL,
    "userId" TEXT,
    "role" "Role",
    "subjects" TEXT NOT NULL,
    "effects" TEXT NOT NULL,
    "operations" TEXT NOT NULL DEFAULT '',
    "root" BOOLEAN NOT NULL DEFAULT false,
    "validFrom" TIMESTAMP(3) NOT NULL,
    "until" TIMESTAMP(3),
    "why" TEXT NOT NULL DEFAULT '',
    "givenById" TEXT,
    "createdAt" TIMESTAMP(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "Grant_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "GrantScope" (
    "grantId" TEXT NOT NULL,
    "kind" "GrantScopeKind" NOT NULL,
    "about" TEXT NOT NULL DEFAULT '',

    CONSTRAINT "GrantScope_pkey" PRIMARY KEY ("grantId","kind","about")
);

-- CreateTable
CREATE TABLE "Loan" (
    "id" TEXT NOT NULL,
    "teamId" TEXT NOT NULL,
    "connectionId" TEXT NOT NULL,
    "userId" TEXT,
    "role" "Role",
    "subjects" TEXT NOT NULL,
    "effects" TEXT NOT NULL,
    "operations" TEXT NOT NULL DEFAULT '',
    "root" BOOLEAN NOT NULL DEFAULT false,
    "validFrom" TIMESTAMP(3) NOT NULL,
    "until" TIMESTAMP(3),
    "why" TEXT NOT NULL DEFAULT '',
    "createdAt" TIMESTAMP(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "Loan_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "LoanScope" (
    "loanId" TEXT NOT NULL,
    "kind" "GrantScopeKind" NOT NULL,
    "about" TEXT NOT NULL DEFAULT '',

    CONSTRAINT "LoanScope_pkey" PRIMARY KEY ("loanId","kind","about")
);

-- CreateTable
CREATE TABLE "AccessRequest" (
    "id" TEXT NOT NULL,
    "teamId" TEXT NOT NULL,
    "userId" TEXT NOT NULL,
    "placeKind" "AskedPlaceKind" NOT NULL,
    "placeId" TEXT NOT NULL,
    "subject" TEXT NOT NULL,
    "effects" TEXT NOT NULL,
    "root" BOOLEAN NOT NULL DEFAULT false,
    "wanted" TEXT NOT NULL DEFAULT '',
    "minutes" INTEGER,
    "why" TEXT NOT NULL,
    "page" TEXT NOT NULL,
    "state" "AccessRequestState" NOT NULL DEFAULT 'open',
    "openKey" TEXT,
    "createdAt" TIMESTAMP(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "expiresAt" TIMESTAMP(3) NOT NULL,
    "decidedAt" TIMESTAMP(3),
    "decidedById" TEXT,
    "reason" TEXT NOT NULL DEFAULT '',
    "grantId" TEXT,

    CONSTRAINT "AccessRequest_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "Invitation" (
    "id" TEXT NOT NULL,
    "teamId" TEXT NOT NULL,
    "email" TEXT NOT NULL,
    "role" "Role" NOT NULL,
    "membershipEndsAt" TIMESTAMP(3),
    "everything" BOOLEAN NOT NULL DEFAULT true,
    "tokenHash" TEXT NOT NULL,
    "invitedById" TEXT,
    "linkShownToId" TEXT,
    "approved" BOOLEAN NOT NULL DEFAULT false,
    "createdAt" TIMESTAMP(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "expiresAt" TIMESTAMP(3) NOT NULL,
    "acceptedAt" TIMESTAMP(3),
    "revokedAt" TIMESTAMP(3),

    CONSTRAINT "Invitation_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "Totp" (
    "userId" TEXT NOT NULL,
    "sealed" BYTEA NOT NULL,
    "kekId" TEXT NOT NULL,
    "secretVersion" INTEGER NOT NULL,
    "lastStep" INTEGER NOT NULL DEFAULT 0,
    "createdAt" TIMESTAMP(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "confirmedAt" TIMESTAMP(3),

    CONSTRAINT "Totp_pkey" PRIMARY KEY ("userId")
);

-- CreateTable
CREATE TABLE "RecoveryCode" (
    "userId" TEXT NOT NULL,
    "codeHash" TEXT NOT NULL,
    "usedAt" TIMESTAMP(3),

    CONSTRAINT "RecoveryCode_pkey" PRIMARY KEY ("userId","codeHash")
);

-- CreateTable
CREATE TABLE "Passkey" (
    "id" TEXT NOT NULL,
    "userId" TEXT NOT NULL,
    "label" TEXT NOT NULL,
    "publicKey" BYTEA NOT NULL,
    "counter" INTEGER NOT NULL,
    "transports" TEXT NOT NULL,
    "backedUp" BOOLEAN NOT NULL,
    "createdAt" TIMESTAMP(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "lastUsedAt" TIMESTAMP(3),

    CONSTRAINT "Passkey_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "PasskeyChallenge" (
    "challengeHash" TEXT NOT NULL,
    "purpose" "PasskeyChallengeKind" NOT NULL,
    "boundTo" TEXT NOT NULL,
    "expiresAt" TIMESTAMP(3) NOT NULL,

    CONSTRAINT "PasskeyChallenge_pkey" PRIMARY KEY ("challengeHash")
);

-- CreateTable
CREATE TABLE "ExternalIdentity" (
    "issuer" TEXT NOT NULL,
    "subject" TEXT NOT NULL,
    "userId" TEXT NOT NULL,
    "createdAt" TIMESTAMP(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "lastUsedAt" TIMESTAMP(3),

    CONSTRAINT "ExternalIdentity_pkey" PRIMARY KEY ("issuer","subject")
);

-- CreateTable
CREATE TABLE "Notification" (
    "id" TEXT NOT NULL,
    "teamId" TEXT NOT NULL,
    "userId" TEXT NOT NULL,
    "kind" "NotificationKind" NOT NULL,
    "onceKey" TEXT NOT NULL,
    "subjectKind" "AuditObjectKind",
    "subjectId" TEXT,
    "detail" TEXT NOT NULL,
    "createdAt" TIMESTAMP(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "readAt" TIMESTAMP(3),
    "sentAt" TIMESTAMP(3),

    CONSTRAINT "Notification_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "OwnBackup" (
    "half" TEXT NOT NULL,
    "attemptedAt" TIMESTAMP(3),
    "reason" TEXT NOT NULL,
    "doneAt" TIMESTAMP(3),
    "bytes" DOUBLE PRECISION NOT NULL,
    "failures" INTEGER NOT NULL,
    "lateAfterMs" INTEGER,

    CONSTRAINT "OwnBackup_pkey" PRIMARY KEY ("half")
);

-- CreateTable
CREATE TABLE "Channel" (
    "id" TEXT NOT NULL,
    "teamId" TEXT NOT NULL,
    "userId" TEXT,
    "seesAsId" TEXT NOT NULL,
    "kind" "ChannelKind" NOT NULL,
    "label" TEXT NOT NULL,
    "place" TEXT NOT NULL,
    "sealed" BYTEA NOT NULL,
    "kekId" TEXT NOT NULL,
    "secretVersion" INTEGER NOT NULL,
    "topics" TEXT NOT NULL,
    "quietFrom" INTEGER,
    "quietTo" INTEGER,
    "digestAt" INTEGER,
    "digestedOn" TEXT NOT NULL DEFAULT '',
    "timeZone" TEXT NOT NULL DEFAULT 'UTC',
    "failures" INTEGER NOT NULL DEFAULT 0,
    "offAt" TIMESTAMP(3),
    "createdAt" TIMESTAMP(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "Channel_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "Delivery" (
    "id" TEXT NOT NULL,
    "channelId" TEXT NOT NULL,
    "kind" "DeliveryKind" NOT NULL,
    "state" "DeliveryState" NOT NULL DEFAULT 'waiting',
    "attempts" INTEGER NOT NULL DEFAULT 0,
    "status" INTEGER,
    "answer" TEXT NOT NULL DEFAULT '',
    "createdAt" TIMESTAMP(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "dueAt" TIMESTAMP(3) NOT NULL,
    "endedAt" TIMESTAMP(3),

    CONSTRAINT "Delivery_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "DeliveryItem" (
    "channelId" TEXT NOT NULL,
    "notificationId" TEXT NOT NULL,
    "deliveryId" TEXT,

    CONSTRAINT "DeliveryItem_pkey" PRIMARY KEY ("channelId","notificationId")
);

-- CreateTable
CREATE TABLE "Session" (
    "id" TEXT NOT NULL,
    "sidHash" TEXT NOT NULL,
    "userId" TEXT NOT NULL,
    "teamId" TEXT NOT NULL,
    "createdAt" TIMESTAMP(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "seenAt" TIMESTAMP(3) NOT NULL,
    "stepUpAt" TIMESTAMP(3) NOT NULL,
    "expiresAt" TIMESTAMP(3) NOT NULL,
    "revokedAt" TIMESTAMP(3),
    "signedOut" BOOLEAN NOT NULL DEFAULT false,
    "awaits" "SessionAwaits",
    "via" "SignInMethod" NOT NULL DEFAULT 'password',
    "userAgent" TEXT NOT NULL,
    "peer" TEXT NOT NULL,

    CONSTRAINT "Session_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "KnownDevice" (
    "tokenHash" TEXT NOT NULL,
    "userId" TEXT NOT NULL,
    "seenAt" TIMESTAMP(3) NOT NULL,

    CONSTRAINT "KnownDevice_pkey" PRIMARY KEY ("tokenHash","userId")
);

-- CreateTable
CREATE TABLE "OneTimeLink" (
    "id" TEXT NOT NULL,
    "purpose" "LinkPurpose" NOT NULL,
    "tokenHash" TEXT NOT NULL,
    "userId" TEXT,
    "email" TEXT,
    "createdById" TEXT,
    "approved" BOOLEAN NOT NULL DEFAULT false,
    "createdAt" TIMESTAMP(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "expiresAt" TIMESTAMP(3) NOT NULL,
    "usedAt" TIMESTAMP(3),

    CONSTRAINT "OneTimeLink_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "SignInThrottle" (
    "key" TEXT NOT NULL,
    "failures" INTEGER NOT NULL,
    "firstAt" TIMESTAMP(3) NOT NULL,
    "blockedUntil" TIMESTAMP(3) NOT NULL,

    CONSTRAINT "SignInThrottle_pkey" PRIMARY KEY ("key")
);

-- CreateTable
CREATE TABLE "Connection" (
    "id" TEXT NOT NULL,
    "teamId" TEXT NOT NULL,
    "ownerId" TEXT,
    "label" TEXT NOT NULL,
    "kind" "ConnectionKind" NOT NULL,
    "origin" TEXT NOT NULL,
    "basePath" TEXT NOT NULL,
    "state" "ConnectionState" NOT NULL,
    "extensions" BOOLEAN NOT NULL DEFAULT false,
    "sealedKey" BYTEA NOT NULL,
    "kekId" TEXT NOT NULL,
    "secretVersion" INTEGER NOT NULL,
    "rev" INTEGER NOT NULL DEFAULT 0,
    "fingerprint" TEXT NOT NULL,
    "createdAt" TIMESTAMP(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "lastUsedAt" TIMESTAMP(3),
    "provenAt" TIMESTAMP(3),
    "frozenAt" TIMESTAMP(3),
    "frozenById" TEXT,

    CONSTRAINT "Connection_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "KeyRing" (
    "id" TEXT NOT NULL,
    "provider" "KekSource" NOT NULL,
    "state" "KekState" NOT NULL,
    "createdAt" TIMESTAMP(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "wraps" INTEGER NOT NULL DEFAULT 0,
    "canary" BYTEA NOT NULL,

    CONSTRAINT "KeyRing_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "SealedSecret" (
    "id" TEXT NOT NULL,
    "purpose" "SecretPurpose" NOT NULL,
    "sealed" BYTEA NOT NULL,
    "kekId" TEXT NOT NULL,
    "secretVersion" INTEGER NOT NULL,
    "createdAt" TIMESTAMP(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "SealedSecret_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "Server" (
    "id" TEXT NOT NULL,
    "teamId" TEXT NOT NULL,
    "origin" TEXT NOT NULL,
    "upstreamId" TEXT NOT NULL,
    "name" TEXT NOT NULL,
    "hostname" TEXT NOT NULL,
    "dns" TEXT NOT NULL,
    "provider" TEXT NOT NULL DEFAULT '',
    "state" TEXT NOT NULL DEFAULT '',
    "hostKey" TEXT NOT NULL DEFAULT '',
    "createdAt" TIMESTAMP(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "listedAt" TIMESTAMP(3) NOT NULL,
    "goneAt" TIMESTAMP(3),
    "address" TEXT NOT NULL DEFAULT '',

    CONSTRAINT "Server_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "Finding" (
    "serverId" TEXT NOT NULL,
    "kind" "FindingKind" NOT NULL,
    "since" TIMESTAMP(3) NOT NULL,
    "detail" TEXT NOT NULL,
    "seenAt" TIMESTAMP(3),

    CONSTRAINT "Finding_pkey" PRIMARY KEY ("serverId","kind")
);

-- CreateTable
CREATE TABLE "Sample" (
    "serverId" TEXT NOT NULL,
    "at" INTEGER NOT NULL,
    "reachable" BOOLEAN NOT NULL,
    "diskUsed" DOUBLE PRECISION,
    "diskTotal" DOUBLE PRECISION,
    "memUsed" DOUBLE PRECISION,
    "memTotal" DOUBLE PRECISION,

    CONSTRAINT "Sample_pkey" PRIMARY KEY ("serverId","at")
);

-- CreateTable
CREATE TABLE "ServerOnConnection" (
    "serverId" TEXT NOT NULL,
    "connectionId" TEXT NOT NULL,
    "provenAt" TIMESTAMP(3) NOT NULL,

    CONSTRAINT "ServerOnConnection_pkey" PRIMARY KEY ("serverId","connectionId")
);

-- CreateTable
CREATE TABLE "Site" (
    "id" TEXT NOT NULL,
    "teamId" TEXT NOT NULL,
    "serverId" TEXT,
    "origin" TEXT NOT NULL,
    "upstreamId" TEXT NOT NULL,
    "domain" TEXT NOT NULL,
    "upstreamServerId" TEXT NOT NULL DEFAULT '',
    "usage" TEXT NOT NULL DEFAULT '',
    "address" TEXT NOT NULL DEFAULT '',
    "mx" TEXT NOT NULL DEFAULT '',
    "state" TEXT NOT NULL DEFAULT '',
    "ssl" TEXT NOT NULL DEFAULT '',
    "expires" TEXT NOT NULL DEFAULT '',
    "staging" TEXT NOT NULL DEFAULT '',
    "createdAt" TIMESTAMP(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "listedAt" TIMESTAMP(3) NOT NULL,
    "goneAt" TIMESTAMP(3),

    CONSTRAINT "Site_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "SiteOnConnection" (
    "siteId" TEXT NOT NULL,
    "connectionId" TEXT NOT NULL,
    "provenAt" TIMESTAMP(3) NOT NULL,

    CONSTRAINT "SiteOnConnection_pkey" PRIMARY KEY ("siteId","connectionId")
);

-- CreateTable
CREATE TABLE "Label" (
    "teamId" TEXT NOT NULL,
    "subjectKind" "LabelSubject" NOT NULL,
    "subjectId" TEXT NOT NULL,
    "name" TEXT NOT NULL,
    "createdAt" TIMESTAMP(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "Label_pkey" PRIMARY KEY ("subjectKind","subjectId","name")
);

-- CreateTable
CREATE TABLE "Job" (
    "id" TEXT NOT NULL,
    "teamId" TEXT NOT NULL,
    "operation" TEXT NOT NULL,
    "serverId" TEXT,
    "siteId" TEXT,
    "connectionId" TEXT,
    "startedById" TEXT,
    "cancelledById" TEXT,
    "nightRun" TEXT NOT NULL DEFAULT '',
    "serverEvent" TEXT,
    "batchId" TEXT,
    "repeatOf" TEXT,
    "targetName" TEXT NOT NULL,
    "state" "JobState" NOT NULL,
    "step" TEXT NOT NULL DEFAULT '',
    "progress" INTEGER NOT NULL DEFAULT 0,
    "problemCode" TEXT,
    "problemSentence" TEXT,
    "note" TEXT NOT NULL DEFAULT '',
    "upstreamEventId" INTEGER NOT NULL DEFAULT 0,
    "eventCount" INTEGER NOT NULL DEFAULT 0,
    "lease" TEXT NOT NULL,
    "startedAt" TIMESTAMP(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "heardAt" TIMESTAMP(3) NOT NULL,
    "endedAt" TIMESTAMP(3),

    CONSTRAINT "Job_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "Batch" (
    "id" TEXT NOT NULL,
    "teamId" TEXT NOT NULL,
    "operation" TEXT NOT NULL,
    "startedById" TEXT,
    "sessionId" TEXT NOT NULL,
    "mode" "BatchMode" NOT NULL,
    "atOnce" INTEGER NOT NULL,
    "stoppedAt" TIMESTAMP(3),
    "stoppedById" TEXT,
    "problemCode" TEXT,
    "problemSentence" TEXT,
    "lease" TEXT NOT NULL,
    "startedAt" TIMESTAMP(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "endedAt" TIMESTAMP(3),

    CONSTRAINT "Batch_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "BatchTarget" (
    "batchId" TEXT NOT NULL,
    "seq" INTEGER NOT NULL,
    "serverId" TEXT,
    "siteId" TEXT,
    "name" TEXT NOT NULL,
    "fields" TEXT NOT NULL DEFAULT '{}',
    "state" "BatchTargetState" NOT NULL DEFAULT 'waiting',
    "requestId" TEXT NOT NULL,
    "jobId" TEXT,
    "repeatOf" TEXT,
    "problemCode" TEXT,
    "problemSentence" TEXT,
    "startedAt" TIMESTAMP(3),
    "endedAt" TIMESTAMP(3),

    CONSTRAINT "BatchTarget_pkey" PRIMARY KEY ("batchId","seq")
);

-- CreateTable
CREATE TABLE "JobEvent" (
    "jobId" TEXT NOT NULL,
    "seq" INTEGER NOT NULL,
    "upstreamId" INTEGER,
    "at" TIMESTAMP(3) NOT NULL,
    "step" TEXT NOT NULL,
    "progress" INTEGER,
    "status" TEXT NOT NULL,
    "message" TEXT NOT NULL,

    CONSTRAINT "JobEvent_pkey" PRIMARY KEY ("jobId","seq")
);

-- CreateTable
CREATE TABLE "Undo" (
    "id" TEXT NOT NULL,
    "teamId" TEXT NOT NULL,
    "subjectKind" "UndoSubject" NOT NULL,
    "subjectId" TEXT NOT NULL,
    "kind" TEXT NOT NULL,
    "sealed" BYTEA,
    "kekId" TEXT,
    "createdAt" TIMESTAMP(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "claimedAt" TIMESTAMP(3),
    "usedAt" TIMESTAMP(3),
    "usedById" TEXT,

    CONSTRAINT "Undo_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "HeldRequest" (
    "id" TEXT NOT NULL,
    "teamId" TEXT NOT NULL,
    "kind" "HeldKind" NOT NULL,
    "action" TEXT NOT NULL,
    "serverId" TEXT,
    "siteId" TEXT,
    "connectionId" TEXT,
    "targetName" TEXT NOT NULL,
    "askedById" TEXT NOT NULL,
    "sessionId" TEXT NOT NULL,
    "digest" TEXT NOT NULL,
    "askedAt" TIMESTAMP(3) NOT NULL,
    "sealed" BYTEA,
    "kekId" TEXT,
    "state" "HeldState" NOT NULL DEFAULT 'waiting',
    "sendAt" TIMESTAMP(3),
    "decidedById" TEXT,
    "decidedAt" TIMESTAMP(3),
    "reason" TEXT NOT NULL DEFAULT '',
    "page" TEXT,
    "problemCode" TEXT,
    "problemSentence" TEXT,
    "endedAt" TIMESTAMP(3),

    CONSTRAINT "HeldRequest_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "AuditRow" (
    "seq" INTEGER NOT NULL,
    "at" TIMESTAMP(3) NOT NULL,
    "requestId" TEXT NOT NULL,
    "teamId" TEXT,
    "actorKind" "AuditActorKind" NOT NULL,
    "actorId" TEXT,
    "sessionId" TEXT,
    "action" TEXT NOT NULL,
    "objectKind" "AuditObjectKind" NOT NULL,
    "objectId" TEXT NOT NULL,
    "connectionId" TEXT,
    "stage" "AuditStage" NOT NULL,
    "outcome" "AuditOutcome" NOT NULL,
    "detail" TEXT NOT NULL,
    "prev" TEXT NOT NULL,
    "mac" TEXT NOT NULL,
    "macKeyId" TEXT NOT NULL,

    CONSTRAINT "AuditRow_pkey" PRIMARY KEY ("seq")
);

-- CreateIndex
CREATE UNIQUE INDEX "User_email_key" ON "User"("email");

-- CreateIndex
CREATE INDEX "Membership_teamId_idx" ON "Membership"("teamId");

-- CreateIndex
CREATE INDEX "Grant_teamId_idx" ON "Grant"("teamId");

-- CreateIndex
CREATE INDEX "Grant_userId_teamId_idx" ON "Grant"("userId", "teamId");

-- CreateIndex
CREATE INDEX "GrantScope_kind_about_idx" ON "GrantScope"("kind", "about");

-- CreateIndex
CREATE INDEX "Loan_teamId_idx" ON "Loan"("teamId");

-- CreateIndex
CREATE INDEX "Loan_connectionId_idx" ON "Loan"("connectionId");

-- CreateIndex
CREATE INDEX "Loan_userId_teamId_idx" ON "Loan"("userId", "teamId");

-- CreateIndex
CREATE INDEX "LoanScope_kind_about_idx" ON "LoanScope"("kind", "about");

-- CreateIndex
CREATE UNIQUE INDEX "AccessRequest_openKey_key" ON "AccessRequest"("openKey");

-- CreateIndex
CREATE INDEX "AccessRequest_teamId_createdAt_idx" ON "AccessRequest"("teamId", "createdAt");

-- CreateIndex
CREATE INDEX "AccessRequest_userId_createdAt_idx" ON "AccessRequest"("userId", "createdAt");

-- CreateIndex
CREATE INDEX "AccessRequest_state_expiresAt_idx" ON "AccessRequest"("state", "expiresAt");

-- CreateIndex
CREATE UNIQUE INDEX "Invitation_tokenHash_key" ON "Invitation"("tokenHash");

-- CreateIndex
CREATE INDEX "Invitation_teamId_createdAt_idx" ON "Invitation"("teamId", "createdAt");

-- CreateIndex
CREATE INDEX "Passkey_userId_idx" ON "Passkey"("userId");

-- CreateIndex
CREATE UNIQUE INDEX "ExternalIdentity_issuer_userId_key" ON "ExternalIdentity"("issuer", "userId");

-- CreateIndex
CREATE INDEX "Notification_userId_createdAt_idx" ON "Notification"("userId", "createdAt");

-- CreateIndex
CREATE INDEX "Notification_onceKey_idx" ON "Notification"("onceKey");

-- CreateIndex
CREATE INDEX "Notification_kind_createdAt_idx" ON "Notification"("kind", "createdAt");

-- CreateIndex
CREATE INDEX "Notification_sentAt_idx" ON "Notification"("sentAt");

-- CreateIndex
CREATE UNIQUE INDEX "Notification_userId_onceKey_key" ON "Notification"("userId", "onceKey");

-- CreateIndex
CREATE INDEX "Channel_teamId_idx" ON "Channel"("teamId");

-- CreateIndex
CREATE INDEX "Channel_userId_teamId_idx" ON "Channel"("userId", "teamId");

-- CreateIndex
CREATE INDEX "Channel_seesAsId_idx" ON "Channel"("seesAsId");

-- CreateIndex
CREATE INDEX "Delivery_channelId_createdAt_idx" ON "Delivery"("channelId", "createdAt");

-- CreateIndex
CREATE INDEX "Delivery_state_dueAt_idx" ON "Delivery"("state", "dueAt");

-- CreateIndex
CREATE INDEX "DeliveryItem_deliveryId_idx" ON "DeliveryItem"("deliveryId");

-- CreateIndex
CREATE INDEX "DeliveryItem_notificationId_idx" ON "DeliveryItem"("notificationId");

-- CreateIndex
CREATE UNIQUE INDEX "Session_sidHash_key" ON "Session"("sidHash");

-- CreateIndex
CREATE INDEX "Session_userId_idx" ON "Session"("userId");

-- CreateIndex
CREATE INDEX "KnownDevice_userId_idx" ON "KnownDevice"("userId");

-- CreateIndex
CREATE UNIQUE INDEX "OneTimeLink_tokenHash_key" ON "OneTimeLink"("tokenHash");

-- CreateIndex
CREATE INDEX "Connection_teamId_idx" ON "Connection"("teamId");

-- CreateIndex
CREATE UNIQUE INDEX "Server_teamId_origin_upstreamId_key" ON "Server"("teamId", "origin", "upstreamId");

-- CreateIndex
CREATE INDEX "ServerOnConnection_connectionId_idx" ON "ServerOnConnection"("connectionId");

-- CreateIndex
CREATE UNIQUE INDEX "Site_teamId_origin_upstreamId_key" ON "Site"("teamId", "origin", "upstreamId");

-- CreateIndex
CREATE INDEX "SiteOnConnection_connectionId_idx" ON "SiteOnConnection"("connectionId");

-- CreateIndex
CREATE INDEX "Label_teamId_subjectKind_idx" ON "Label"("teamId", "subjectKind");

-- CreateIndex
CREATE INDEX "Job_teamId_startedAt_idx" ON "Job"("teamId", "startedAt");

-- CreateIndex
CREATE INDEX "Job_serverId_startedAt_idx" ON "Job"("serverId", "startedAt");

-- CreateIndex
CREATE INDEX "Job_batchId_idx" ON "Job"("batchId");

-- CreateIndex
CREATE INDEX "Job_repeatOf_idx" ON "Job"("repeatOf");

-- CreateIndex
CREATE INDEX "Job_state_idx" ON "Job"("state");

-- CreateIndex
CREATE INDEX "Job_operation_startedAt_idx" ON "Job"("operation", "startedAt");

-- CreateIndex
CREATE UNIQUE INDEX "Job_serverId_serverEvent_key" ON "Job"("serverId", "serverEvent");

-- CreateIndex
CREATE INDEX "Batch_teamId_startedAt_idx" ON "Batch"("teamId", "startedAt");

-- CreateIndex
CREATE INDEX "Batch_endedAt_idx" ON "Batch"("endedAt");

-- CreateIndex
CREATE UNIQUE INDEX "BatchTarget_requestId_key" ON "BatchTarget"("requestId");

-- CreateIndex
CREATE INDEX "BatchTarget_repeatOf_idx" ON "BatchTarget"("repeatOf");

-- CreateIndex
CREATE INDEX "BatchTarget_serverId_idx" ON "BatchTarget"("serverId");

-- CreateIndex
CREATE INDEX "BatchTarget_siteId_idx" ON "BatchTarget"("siteId");

-- CreateIndex
CREATE INDEX "Undo_subjectKind_subjectId_idx" ON "Undo"("subjectKind", "subjectId");

-- CreateIndex
CREATE INDEX "Undo_createdAt_idx" ON "Undo"("createdAt");

-- CreateIndex
CREATE INDEX "HeldRequest_teamId_askedAt_idx" ON "HeldRequest"("teamId", "askedAt");

-- CreateIndex
CREATE INDEX "HeldRequest_state_idx" ON "HeldRequest"("state");

-- CreateIndex
CREATE INDEX "AuditRow_teamId_seq_idx" ON "AuditRow"("teamId", "seq");

-- CreateIndex
CREATE INDEX "AuditRow_connectionId_seq_idx" ON "AuditRow"("connectionId", "seq");

-- CreateIndex
CREATE INDEX "AuditRow_requestId_idx" ON "AuditRow"("requestId");

-- CreateIndex
CREATE INDEX "AuditRow_at_idx" ON "AuditRow"("at");

-- CreateIndex
CREATE INDEX "AuditRow_teamId_objectId_idx" ON "AuditRow"("teamId", "objectId");

-- AddForeignKey
ALTER TABLE "Membership" ADD CONSTRAINT "Membership_userId_fkey" FOREIGN KEY ("userId") REFERENCES "User"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "Membership" ADD CONSTRAINT "Membership_teamId_fkey" FOREIGN KEY ("teamId") REFERENCES "Team"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "Grant" ADD CONSTRAINT "Grant_teamId_fkey" FOREIGN KEY ("teamId") REFERENCES "Team"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "Grant" ADD CONSTRAINT "Grant_userId_teamId_fkey" FOREIGN KEY ("userId", "teamId") REFERENCES "Membership"("userId", "teamId") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "GrantScope" ADD CONSTRAINT "GrantScope_grantId_fkey" FOREIGN KEY ("grantId") REFERENCES "Grant"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "Loan" ADD CONSTRAINT "Loan_teamId_fkey" FOREIGN KEY ("teamId") REFERENCES "Team"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "Loan" ADD CONSTRAINT "Loan_connectionId_fkey" FOREIGN KEY ("connectionId") REFERENCES "Connection"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "Loan" ADD CONSTRAINT "Loan_userId_teamId_fkey" FOREIGN KEY ("userId", "teamId") REFERENCES "Membership"("userId", "teamId") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "LoanScope" ADD CONSTRAINT "LoanScope_loanId_fkey" FOREIGN KEY ("loanId") REFERENCES "Loan"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "AccessRequest" ADD CONSTRAINT "AccessRequest_teamId_fkey" FOREIGN KEY ("teamId") REFERENCES "Team"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "AccessRequest" ADD CONSTRAINT "AccessRequest_userId_fkey" FOREIGN KEY ("userId") REFERENCES "User"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "Invitation" ADD CONSTRAINT "Invitation_teamId_fkey" FOREIGN KEY ("teamId") REFERENCES "Team"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "Invitation" ADD CONSTRAINT "Invitation_invitedById_fkey" FOREIGN KEY ("invitedById") REFERENCES "User"("id") ON DELETE SET NULL ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "Totp" ADD CONSTRAINT "Totp_userId_fkey" FOREIGN KEY ("userId") REFERENCES "User"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "RecoveryCode" ADD CONSTRAINT "RecoveryCode_userId_fkey" FOREIGN KEY ("userId") REFERENCES "User"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "Passkey" ADD CONSTRAINT "Passkey_userId_fkey" FOREIGN KEY ("userId") REFERENCES "User"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "ExternalIdentity" ADD CONSTRAINT "ExternalIdentity_userId_fkey" FOREIGN KEY ("userId") REFERENCES "User"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "Notification" ADD CONSTRAINT "Notification_teamId_fkey" FOREIGN KEY ("teamId") REFERENCES "Team"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "Notification" ADD CONSTRAINT "Notification_userId_fkey" FOREIGN KEY ("userId") REFERENCES "User"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "Channel" ADD CONSTRAINT "Channel_teamId_fkey" FOREIGN KEY ("teamId") REFERENCES "Team"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "Channel" ADD CONSTRAINT "Channel_userId_teamId_fkey" FOREIGN KEY ("userId", "teamId") REFERENCES "Membership"("userId", "teamId") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "Delivery" ADD CONSTRAINT "Delivery_channelId_fkey" FOREIGN KEY ("channelId") REFERENCES "Channel"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "DeliveryItem" ADD CONSTRAINT "DeliveryItem_channelId_fkey" FOREIGN KEY ("channelId") REFERENCES "Channel"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "DeliveryItem" ADD CONSTRAINT "DeliveryItem_notificationId_fkey" FOREIGN KEY ("notificationId") REFERENCES "Notification"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "DeliveryItem" ADD CONSTRAINT "DeliveryItem_deliveryId_fkey" FOREIGN KEY ("deliveryId") REFERENCES "Delivery"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "Session" ADD CONSTRAINT "Session_userId_fkey" FOREIGN KEY ("userId") REFERENCES "User"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "Session" ADD CONSTRAINT "Session_teamId_fkey" FOREIGN KEY ("teamId") REFERENCES "Team"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "KnownDevice" ADD CONSTRAINT "KnownDevice_userId_fkey" FOREIGN KEY ("userId") REFERENCES "User"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "OneTimeLink" ADD CONSTRAINT "OneTimeLink_userId_fkey" FOREIGN KEY ("userId") REFERENCES "User"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "Connection" ADD CONSTRAINT "Connection_teamId_fkey" FOREIGN KEY ("teamId") REFERENCES "Team"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "Connection" ADD CONSTRAINT "Connection_ownerId_fkey" FOREIGN KEY ("ownerId") REFERENCES "User"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "Server" ADD CONSTRAINT "Server_teamId_fkey" FOREIGN KEY ("teamId") REFERENCES "Team"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "Finding" ADD CONSTRAINT "Finding_serverId_fkey" FOREIGN KEY ("serverId") REFERENCES "Server"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "Sample" ADD CONSTRAINT "Sample_serverId_fkey" FOREIGN KEY ("serverId") REFERENCES "Server"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "ServerOnConnection" ADD CONSTRAINT "ServerOnConnection_serverId_fkey" FOREIGN KEY ("serverId") REFERENCES "Server"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "ServerOnConnection" ADD CONSTRAINT "ServerOnConnection_connectionId_fkey" FOREIGN KEY ("connectionId") REFERENCES "Connection"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "Site" ADD CONSTRAINT "Site_teamId_fkey" FOREIGN KEY ("teamId") REFERENCES "Team"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "Site" ADD CONSTRAINT "Site_serverId_fkey" FOREIGN KEY ("serverId") REFERENCES "Server"("id") ON DELETE SET NULL ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "SiteOnConnection" ADD CONSTRAINT "SiteOnConnection_siteId_fkey" FOREIGN KEY ("siteId") REFERENCES "Site"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "SiteOnConnection" ADD CONSTRAINT "SiteOnConnection_connectionId_fkey" FOREIGN KEY ("connectionId") REFERENCES "Connection"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "Label" ADD CONSTRAINT "Label_teamId_fkey" FOREIGN KEY ("teamId") REFERENCES "Team"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "Job" ADD CONSTRAINT "Job_teamId_fkey" FOREIGN KEY ("teamId") REFERENCES "Team"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "Job" ADD CONSTRAINT "Job_serverId_fkey" FOREIGN KEY ("serverId") REFERENCES "Server"("id") ON DELETE SET NULL ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "Job" ADD CONSTRAINT "Job_siteId_fkey" FOREIGN KEY ("siteId") REFERENCES "Site"("id") ON DELETE SET NULL ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "Job" ADD CONSTRAINT "Job_startedById_fkey" FOREIGN KEY ("startedById") REFERENCES "User"("id") ON DELETE SET NULL ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "Job" ADD CONSTRAINT "Job_cancelledById_fkey" FOREIGN KEY ("cancelledById") REFERENCES "User"("id") ON DELETE SET NULL ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "Job" ADD CONSTRAINT "Job_batchId_fkey" FOREIGN KEY ("batchId") REFERENCES "Batch"("id") ON DELETE SET NULL ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "Batch" ADD CONSTRAINT "Batch_teamId_fkey" FOREIGN KEY ("teamId") REFERENCES "Team"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "Batch" ADD CONSTRAINT "Batch_startedById_fkey" FOREIGN KEY ("startedById") REFERENCES "User"("id") ON DELETE SET NULL ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "Batch" ADD CONSTRAINT "Batch_stoppedById_fkey" FOREIGN KEY ("stoppedById") REFERENCES "User"("id") ON DELETE SET NULL ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "BatchTarget" ADD CONSTRAINT "BatchTarget_batchId_fkey" FOREIGN KEY ("batchId") REFERENCES "Batch"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "BatchTarget" ADD CONSTRAINT "BatchTarget_serverId_fkey" FOREIGN KEY ("serverId") REFERENCES "Server"("id") ON DELETE SET NULL ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "BatchTarget" ADD CONSTRAINT "BatchTarget_siteId_fkey" FOREIGN KEY ("siteId") REFERENCES "Site"("id") ON DELETE SET NULL ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "JobEvent" ADD CONSTRAINT "JobEvent_jobId_fkey" FOREIGN KEY ("jobId") REFERENCES "Job"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "Undo" ADD CONSTRAINT "Undo_teamId_fkey" FOREIGN KEY ("teamId") REFERENCES "Team"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "Undo" ADD CONSTRAINT "Undo_usedById_fkey" FOREIGN KEY ("usedById") REFERENCES "User"("id") ON DELETE SET NULL ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "HeldRequest" ADD CONSTRAINT "HeldRequest_teamId_fkey" FOREIGN KEY ("teamId") REFERENCES "Team"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- A member of a text that should be a JSON object, or null: PostgreSQL 15 cannot test a text without an error.
CREATE FUNCTION "json_member"("json" TEXT, "member" TEXT) RETURNS TEXT LANGUAGE plpgsql IMMUTABLE STRICT PARALLEL SAFE AS $$
BEGIN
  RETURN "json"::json ->> "member";
EXCEPTION WHEN others THEN
  RETURN NULL;
END
$$;
