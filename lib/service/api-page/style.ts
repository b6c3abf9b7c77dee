/** The page's style: the portal's colours, system fonts, light or dark as the reader's system is set. */

export const style = `
:root {
  color-scheme: light dark;
  --bg: oklch(0.975 0.004 120); --surface: oklch(0.995 0.002 120); --sunken: oklch(0.95 0.006 120); --line: oklch(0.89 0.008 120);
  --ink: oklch(0.24 0.018 222); --muted: oklch(0.47 0.016 210); --accent: oklch(0.46 0.082 222); --ok: oklch(0.47 0.11 150);
  --warn: oklch(0.51 0.105 70); --danger: oklch(0.51 0.18 27);
}
@media (prefers-color-scheme: dark) {
  :root {
    --bg: oklch(0.205 0.014 222); --surface: oklch(0.245 0.016 222); --sunken: oklch(0.175 0.013 222); --line: oklch(0.325 0.018 222);
    --ink: oklch(0.94 0.006 120); --muted: oklch(0.745 0.012 200); --accent: oklch(0.8 0.09 215); --ok: oklch(0.8 0.13 150);
    --warn: oklch(0.83 0.125 80); --danger: oklch(0.76 0.13 25);
  }
}
* { box-sizing: border-box; }
html { background: var(--bg); color: var(--ink); font: 15px/23px system-ui, sans-serif; scroll-padding-top: 16px; }
body { margin: 0 auto; max-width: 1180px; padding: 28px; display: grid; grid-template-columns: 208px minmax(0, 1fr); gap: 0 44px; }
header, footer { grid-column: 1 / -1; }
h1 { font-size: 26px; line-height: 32px; letter-spacing: -0.015em; margin: 0 0 8px; }
h2 { font-size: 20px; line-height: 28px; letter-spacing: -0.01em; margin: 44px 0 12px; text-transform: capitalize; }
h3 { font-size: 16px; line-height: 24px; margin: 0; }
h4 { font-size: 13px; line-height: 18px; margin: 16px 0 6px; color: var(--muted); font-weight: 600; }
p { margin: 0 0 12px; max-width: 68ch; }
a { color: var(--accent); text-underline-offset: 3px; }
a:focus-visible, pre:focus-visible, .wide:focus-visible { outline: 2px solid var(--accent); outline-offset: 2px; border-radius: 4px; }
code, pre { font: 13px/20px ui-monospace, SFMono-Regular, Menlo, monospace; }
pre { margin: 0; padding: 10px 14px; overflow-x: auto; background: var(--sunken); border: 1px solid var(--line); border-radius: 6px; }
nav { position: sticky; top: 28px; align-self: start; max-height: calc(100vh - 56px); overflow-y: auto; padding-bottom: 12px; font-size: 14px; line-height: 21px; }
nav ol { list-style: none; margin: 0 0 10px; padding: 0; }
nav a { color: var(--muted); text-decoration: none; display: block; overflow-wrap: anywhere; }
nav a:hover { color: var(--accent); text-decoration: underline; }
nav li:first-child a { color: var(--ink); font-weight: 600; text-transform: capitalize; }
article { background: var(--surface); border: 1px solid var(--line); border-radius: 10px; padding: 16px 20px 20px; margin-bottom: 16px; }
article header { display: flex; flex-wrap: wrap; align-items: baseline; gap: 4px 12px; }
.address { margin: 6px 0 0; overflow-wrap: anywhere; }
.address b { color: var(--accent); }
.note { font-size: 13px; line-height: 18px; color: var(--muted); }
.destroy { color: var(--danger); }
.wide { overflow-x: auto; }
table { border-collapse: collapse; font-size: 14px; line-height: 20px; }
th { text-align: left; font-size: 13px; color: var(--muted); font-weight: 500; }
th, td { padding: 4px 20px 4px 0; vertical-align: top; }
tbody tr { border-top: 1px solid var(--line); }
@media (max-width: 820px) {
  body { display: block; padding: 16px; }
  nav { position: static; max-height: none; columns: 2; margin: 16px 0; }
  nav ol { break-inside: avoid; }
  nav a { padding: 3px 0; }
  article { padding: 14px; }
}
@media print { nav { display: none; } body { display: block; } article { break-inside: avoid; } }
`
