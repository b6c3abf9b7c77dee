# The files of the jobs of sites, one folder per job. values: what the job was asked to do; deleted once it is read.
jobs_home=/var/lib/gatehouse/site-jobs
job_unit=gatehouse-site-job.service

lock_jobs() {
  install -d -m 700 /var/lib/gatehouse "$jobs_home"
  exec 9>"$jobs_home/lock"
  flock -w 20 9
}
