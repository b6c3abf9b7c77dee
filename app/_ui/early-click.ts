/**
 * On a slow connection a button is on the screen seconds before its code. This script, at the start of each page, marks the EarlyButton that
 * was clicked meanwhile, and no other.
 */
export const earlyClickScript = [
  'addEventListener("click",function(e){',
  'var b=e.target.closest&&e.target.closest("[data-early]");',
  'document.querySelectorAll("[data-early=clicked]").forEach(function(o){o.dataset.early=""});',
  'if(b)b.dataset.early="clicked"',
  '},true)',
].join('')
