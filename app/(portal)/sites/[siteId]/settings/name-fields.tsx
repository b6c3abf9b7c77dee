import { type Age, ageOf, hstsAges } from '@/app/_shared/sites/hsts'
import { Field } from '@/app/_ui/field'
import { Select } from '@/app/_ui/input'
import { toReadableDomain } from '@/lib/text/idn'
import type { SiteSettings } from './site-settings'

/** Where the name with www leads, and whether browsers insist on https. What the service does not report has no field. */
export function NameFields({ settings: { www, hsts } }: { settings: SiteSettings }) {
  return (
    <>
      {www ? <Www domain={toReadableDomain(www.domain)} leads={www.leads} /> : null}
      {hsts === '' ? null : <Hsts seconds={hsts} />}
    </>
  )
}

const Www = ({ domain, leads }: { domain: string; leads: boolean }) => (
  <Field name="www_redirect" label={`www.${domain}`}>
    {(control) => (
      <Select {...control} defaultValue={leads ? '1' : '0'}>
        <option value="1">Redirects to {domain}</option>
        <option value="0">Shows the site</option>
      </Select>
    )}
  </Field>
)

const Hsts = ({ seconds }: { seconds: string }) => {
  const ages: readonly Age[] = hstsAges(seconds)
  return (
    <Field
      name="hsts"
      label="HSTS"
      hint="Browsers that came by https use nothing else for so long, even if SSL is turned off. Begin with 5 minutes; once all pages work by https, choose more."
    >
      {(control) => (
        <span className="w-44">
          <Select {...control} defaultValue={ageOf(seconds).seconds}>
            {ages.map((age) => (
              <option key={age.seconds} value={age.seconds}>
                {age.label}
              </option>
            ))}
          </Select>
        </span>
      )}
    </Field>
  )
}
