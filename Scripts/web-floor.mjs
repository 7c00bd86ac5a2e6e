// Checks that the oldest supported browsers have every feature that the web apps use. The data is
// MDN's (Debian's node-mdn-browser-compat-data); NEWER below has the features that it lacks.
//
// JavaScript is parsed (Debian's node-acorn). A member of a global object, such as
// `AbortSignal.any`, is looked up in that object. Any other member is looked up in all interfaces;
// it is too new if it is too new in each interface that has it. A newer feature is allowed where
// the source checks for it first: `a.b?.()`, `'b' in a`, `typeof b`, `if (a.b)`.

import { createRequire } from 'node:module';
import { readFileSync, readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';

const require = createRequire('/usr/share/nodejs/');
const acorn = require('/usr/share/nodejs/acorn');
const walk = require('/usr/share/nodejs/acorn-walk');
const data = JSON.parse(readFileSync('/usr/share/nodejs/@mdn/browser-compat-data/data.json'));

const OLDEST = { chrome: 100, firefox: 115, safari: 16, safari_ios: 16 };

// Features that are missing in Debian's data, with the first version that has each; a browser that
// is not named does not have it. Also corrections of that data for Firefox 109 to 115.
const NEWER = {
  'AbortSignal.any': { chrome: 116, firefox: 124, safari: 17.4 },
  'Promise.withResolvers': { chrome: 119, firefox: 121, safari: 17.4 },
  'Object.groupBy': { chrome: 117, firefox: 119, safari: 17.4 },
  'Map.groupBy': { chrome: 117, firefox: 119, safari: 17.4 },
  'Array.fromAsync': { chrome: 121, firefox: 115, safari: 16.4 },
  'URL.canParse': { chrome: 120, firefox: 115, safari: 17 },
  'PublicKeyCredential.getClientCapabilities': { chrome: 133, firefox: 135, safari: 17.4 },
  toSorted: { chrome: 110, firefox: 115, safari: 16 },
  toReversed: { chrome: 110, firefox: 115, safari: 16 },
  toSpliced: { chrome: 110, firefox: 115, safari: 16 },
  isWellFormed: { chrome: 111, firefox: 119, safari: 16.4 },
  toWellFormed: { chrome: 111, firefox: 119, safari: 16.4 },
  addRoutes: { chrome: 123 },
  startViewTransition: { chrome: 111, firefox: 144, safari: 18 },
  showPopover: { chrome: 114, firefox: 125, safari: 17 },
  hidePopover: { chrome: 114, firefox: 125, safari: 17 },
  togglePopover: { chrome: 114, firefox: 125, safari: 17 },
  checkVisibility: { chrome: 105, firefox: 106, safari: 17.4 },
  'css.::view-transition': { chrome: 111, safari: 18 },
  'css.@starting-style': { chrome: 117, firefox: 129, safari: 17.5 },
  'css.@layer': { chrome: 99, firefox: 97, safari: 15.4 },
  'css.nesting': { chrome: 112, firefox: 117, safari: 16.5 },
  'css.text-wrap': { chrome: 114, firefox: 121, safari: 17.4 },
  'css.field-sizing': { chrome: 123, safari: 26.2 },
  'css.light-dark()': { chrome: 123, firefox: 120, safari: 17.5 },
  'css.overflow-wrap: anywhere': { chrome: 80, firefox: 65, safari: 15.4 },
  'css.inline-size: fit-content': { chrome: 57, firefox: 94, safari: 12.1 },
  'css.container-type': { chrome: 105, firefox: 110, safari: 16 },
  'css.@container': { chrome: 105, firefox: 110, safari: 16 },
  'css.:has': { chrome: 105, firefox: 121, safari: 15.4 },
  'css.color-mix()': { chrome: 111, firefox: 113, safari: 16.2 },
  'html.popover': { chrome: 114, firefox: 125, safari: 17 },
  'html.search': { chrome: 118, firefox: 118, safari: 17 },
  'html.inert': { chrome: 102, firefox: 112, safari: 15.5 },
};

// Newer features that are used without a check, and what a page is like without them.
const TOLERATED = {
  'css @container': 'long texts on narrow screens are crowded, in Chrome before 105 only',
  'css container-type': 'as @container',
  'css @property': 'a long list is drawn more slowly',
  'css field-sizing': 'a field keeps its usual size',
  'css outline': 'Safari before 16.4 draws it without rounded corners',
  'css text-size-adjust': 'Safari uses the prefixed property beside it',
  'rel=icon': 'Safari on iOS uses the apple-touch-icon beside it',
  'crossorigin=': 'a preloaded file is requested twice',
};

// Members of the app's objects, of the core's JSON and of the server's answers that have the same
// name as a member of an interface.
const OWN_MEMBERS = new Set([
  'badge', 'country', 'details', 'layout', 'lines', 'memory', 'node', 'opened', 'organization',
  'read', 'results', 'serial', 'session', 'token', 'unlock',
]);

// The interfaces of global objects.
const INSTANCES = {
  caches: 'CacheStorage', clients: 'Clients', console: 'console', crypto: 'Crypto',
  document: 'Document', history: 'History', indexedDB: 'IDBFactory', localStorage: 'Storage',
  location: 'Location', navigator: 'Navigator', performance: 'Performance',
};

const number = (text) => Number(String(text).replace('≤', '').split('-')[0]);

// The first version that has a feature without a flag, a prefix or another name; `Infinity` if no
// version has it.
function firstVersion(support) {
  for (const entry of [support ?? []].flat()) {
    if (entry.flags || entry.prefix || entry.alternative_name || entry.version_removed) continue;
    if (entry.partial_implementation) continue;
    if (entry.version_added === true) return 0;
    const version = number(entry.version_added);
    if (entry.version_added && Number.isFinite(version)) return version;
  }
  return Infinity;
}

function versionsOf(node) {
  const support = node?.__compat?.support;
  if (!support) return null;
  return Object.fromEntries(Object.keys(OLDEST).map((name) => [name, firstVersion(support[name])]));
}

const newer = (name) => {
  const known = Object.hasOwn(NEWER, name) ? NEWER[name] : null;
  if (!known) return null;
  const { chrome = Infinity, firefox = Infinity, safari = Infinity } = known;
  return { chrome, firefox, safari, safari_ios: safari };
};

const isTooNew = (versions) => Object.keys(OLDEST).some((name) => versions[name] > OLDEST[name]);

const shown = (versions) => Object.entries(versions)
  .map(([name, version]) => `${name} ${version === Infinity ? 'none' : version}`).join(', ');

// MARK: Results

const found = new Map();

// Records one use of a feature. `isGuarded` says whether the source checks for the feature first.
function note(feature, versions, place, isGuarded) {
  const entry = found.get(feature) ?? { versions, places: [], isGuarded: true };
  const isAllowed = isGuarded || Object.hasOwn(TOLERATED, feature);
  // A place that is not guarded goes first, because the error message names the first place.
  if (!isAllowed && entry.isGuarded) entry.places.unshift(place);
  else entry.places.push(place);
  if (!isAllowed) entry.isGuarded = false;
  found.set(feature, entry);
}

// MARK: JavaScript

const { Intl, WebAssembly: Wasm, ...builtins } = data.javascript.builtins;
const interfaces = { Intl, WebAssembly: Wasm, ...builtins, ...data.api, ...Intl, ...Wasm };
delete interfaces.__compat;
const owners = new Map();
for (const [owner, members] of Object.entries(interfaces)) {
  for (const name of Object.keys(members)) {
    if (name === '__compat') continue;
    owners.set(name, [...(owners.get(name) ?? []), owner]);
  }
}

const globalOf = (name) => INSTANCES[name] ?? (Object.hasOwn(interfaces, name) ? name : null);

// The versions of a member of a known interface.
function memberVersions(owner, name) {
  return newer(`${owner}.${name}`) ?? versionsOf(interfaces[owner]?.[name]);
}

// The interface is unknown, so the oldest versions of all interfaces with such a member count.
function anyVersions(name) {
  const known = newer(name);
  if (known) return known;
  const all = (owners.get(name) ?? []).map((owner) => versionsOf(interfaces[owner][name]))
    .filter(Boolean);
  if (all.length === 0) return null;
  return all.find((versions) => !isTooNew(versions)) ?? all[0];
}

function declaredNames(tree) {
  const names = new Set();
  const pattern = (node) => {
    if (!node) return;
    if (node.type === 'Identifier') names.add(node.name);
    if (node.type === 'ObjectPattern') node.properties.forEach((p) => pattern(p.value ?? p.argument));
    if (node.type === 'ArrayPattern') node.elements.forEach(pattern);
    if (node.type === 'AssignmentPattern') pattern(node.left);
    if (node.type === 'RestElement') pattern(node.argument);
  };
  walk.full(tree, (node) => {
    if (node.type === 'VariableDeclarator') pattern(node.id);
    if (/Function/.test(node.type)) { node.params.forEach(pattern); pattern(node.id); }
    if (/Class/.test(node.type)) pattern(node.id);
    if (node.type === 'CatchClause') pattern(node.param);
    if (/^Import.*Specifier$/.test(node.type)) pattern(node.local);
  });
  return names;
}

const pathOf = (node) => (node.type === 'ChainExpression' ? pathOf(node.expression)
  : node.type === 'Identifier' ? node.name
    : node.type === 'MemberExpression' && !node.computed
      ? `${pathOf(node.object)}.${node.property.name}` : '?');

// The names that a file checks for before it uses them.
function guardedNames(tree) {
  const names = new Set();
  const addChecked = (node) => {
    if (!node) return;
    if (node.type === 'LogicalExpression') { addChecked(node.left); addChecked(node.right); return; }
    if (node.type === 'UnaryExpression') { addChecked(node.argument); return; }
    if (node.type === 'BinaryExpression') { addChecked(node.left); addChecked(node.right); return; }
    if (node.type === 'Identifier') names.add(node.name);
    if (node.type === 'MemberExpression') names.add(pathOf(node).split('.').at(-1));
  };
  walk.full(tree, (node) => {
    if (node.type === 'BinaryExpression' && node.operator === 'in') names.add(node.left.value);
    if (node.type === 'UnaryExpression' && node.operator === 'typeof') addChecked(node.argument);
    if (/^(If|Conditional)/.test(node.type)) addChecked(node.test);
  });
  return names;
}

const SYNTAX = {
  StaticBlock: { chrome: 94, firefox: 93, safari: 16.4, safari_ios: 16.4 },
  lookbehind: { chrome: 62, firefox: 78, safari: 16.4, safari_ios: 16.4 },
};

// Old browsers run this script, so it must be ECMAScript 5.
const OLDEST_SCRIPT = 'old-browser.js';

function checkScript(path, text) {
  if (path.endsWith(OLDEST_SCRIPT)) acorn.parse(text, { ecmaVersion: 5, sourceType: 'script' });
  const tree = acorn.parse(text, { ecmaVersion: 2022, sourceType: 'module', locations: true });
  const declared = declaredNames(tree);
  const guarded = guardedNames(tree);
  walk.ancestor(tree, {
    StaticBlock(node) { note('static block', SYNTAX.StaticBlock, `${path}:${node.loc.start.line}`); },
    Literal(node) {
      if (node.regex && /\(\?<[=!]/.test(node.regex.pattern)) {
        note('lookbehind', SYNTAX.lookbehind, `${path}:${node.loc.start.line}`);
      }
    },
    Identifier(node) {
      if (declared.has(node.name) || INSTANCES[node.name]) return;
      const { Window, WorkerGlobalScope, ServiceWorkerGlobalScope } = data.api;
      const versions = [interfaces[node.name], Window[node.name], WorkerGlobalScope[node.name],
        ServiceWorkerGlobalScope[node.name]].map(versionsOf).find(Boolean);
      if (versions) note(node.name, versions, `${path}:${node.loc.start.line}`, guarded.has(node.name));
    },
    MemberExpression(node, ancestors) {
      const { object, property, computed } = node;
      if (computed || property.type !== 'Identifier') return;
      const { name } = property;
      const parent = ancestors.at(-2);
      const isGuarded = guarded.has(name) || (parent?.type === 'CallExpression' && parent.optional);
      const place = `${path}:${property.loc.start.line}`;
      const isGlobal = object.type === 'Identifier' && !declared.has(object.name);
      const owner = isGlobal ? globalOf(object.name) : null;
      const own = owner && memberVersions(owner, name);
      if (own) {
        note(`${owner}.${name}`, own, place, isGuarded);
        return;
      }
      // The data has no such member of this namespace or class. It is inherited or newer than the
      // data.
      if (owner && name !== 'prototype' && !owners.has(name) && !INSTANCES[object.name]) {
        note(`${owner}.${name} (not in the data: add it to NEWER)`, newer(''), place, isGuarded);
        return;
      }
      const any = OWN_MEMBERS.has(name) ? null : anyVersions(name);
      if (any) note(`….${name}`, any, place, isGuarded);
    },
  });
}

// MARK: CSS

const cssTypes = Object.keys(data.css.types);

function checkStyle(path, text) {
  const code = text.replaceAll(/\/\*[^]*?\*\//g, (comment) => comment.replaceAll(/[^\n]/g, ' '));
  let depth = [];
  let buffer = '';
  let line = 1;
  const lookUp = (feature, node, isGuarded = false) => {
    const versions = newer(`css.${feature}`) ?? versionsOf(node);
    const inSupports = depth.some((head) => head.startsWith('@supports'));
    if (versions) note(`css ${feature}`, versions, `${path}:${line}`, isGuarded || inSupports);
  };
  const isRule = (head) => !head.startsWith('@') || /^@(font-face|page|property)/.test(head);
  const selector = (head) => {
    for (const [, name] of head.matchAll(/::?([a-z-]+)/g)) {
      lookUp(`:${name}`, data.css.selectors[name]);
      lookUp(`::${name}`, null);
    }
  };
  const seen = [];
  for (const letter of `${code}`) {
    if (letter === '\n') line += 1;
    if (letter === '{') {
      const head = buffer.trim();
      if (head.startsWith('@')) {
        const name = head.slice(1).split(/[\s({]/)[0];
        lookUp(`@${name}`, data.css['at-rules'][name]);
        for (const [, feature] of head.matchAll(/\(([a-z-]+)\s*[:)]/g)) {
          // A browser that does not know a media feature ignores the rule.
          lookUp(`@${name} ${feature}`, data.css['at-rules'][name]?.[feature], true);
        }
      } else {
        if (depth.some(isRule)) lookUp('nesting', null);
        selector(head);
      }
      depth.push(head);
      seen.push(new Set());
      buffer = '';
    } else if (letter === '}' || letter === ';') {
      const [, name, value] = /^\s*([a-z-]+)\s*:([^]*)$/.exec(buffer) ?? [];
      if (name && depth.length > 0 && !name.startsWith('--')) {
        // An older browser uses the declaration before this one.
        const hasFallback = seen.at(-1).has(name);
        seen.at(-1).add(name);
        const property = data.css.properties[name];
        lookUp(name, property, hasFallback);
        for (const [word] of value.matchAll(/[a-z-]+(?=[\s;,)!]|$)/g)) {
          if (property?.[word]) lookUp(`${name}: ${word}`, property[word], hasFallback);
        }
        for (const [, call] of value.matchAll(/([a-z-]+)\(/g)) {
          const type = cssTypes.find((type) => type === call || data.css.types[type][call]);
          const node = data.css.types[call] ?? data.css.types[type]?.[call];
          lookUp(`${call}()`, node, hasFallback);
        }
        for (const [, unit] of value.matchAll(/\d(dvh|svh|lvh|dvw|svw|lvw|cqw|cqi|lh|rlh)\b/g)) {
          const key = unit.replace(/^(d|s|l)v[hw]$/, 'viewport_percentage_units_dynamic');
          lookUp(`unit ${unit}`, data.css.types.length[key] ?? data.css.types.length[unit],
            hasFallback);
        }
      }
      if (letter === '}') { depth.pop(); seen.pop(); }
      buffer = '';
    } else {
      buffer += letter;
    }
  }
}

// MARK: HTML

function checkElement(path, line, tag, attributes) {
  const element = data.html.elements[tag];
  const versions = newer(`html.${tag}`) ?? versionsOf(element);
  if (versions) note(`<${tag}>`, versions, `${path}:${line}`);
  for (const name of attributes) {
    const known = newer(`html.${name}`) ?? versionsOf(element?.[name])
      ?? versionsOf(data.html.global_attributes[name]);
    if (known) note(`${name}=`, known, `${path}:${line}`, isHint(name));
  }
}

// Attributes that are hints. A page works without them.
const HINTS = new Set(['autofocus', 'enterkeyhint', 'inputmode', 'autocapitalize', 'media', 'spellcheck']);
const isHint = (name) => HINTS.has(name);

function checkPage(path, text) {
  text.split('\n').forEach((words, index) => {
    for (const [, tag, rest] of words.matchAll(/<([a-z][a-z0-9]*)\b([^>]*)/g)) {
      const names = [...rest.matchAll(/\s([a-z-]+)(?==|\s|$)/g)].map(([, name]) => name);
      checkElement(path, index + 1, tag, names);
      for (const [, rel] of rest.matchAll(/rel="([a-z]+)"/g)) {
        const known = versionsOf(data.html.elements.link.rel?.[rel]);
        if (known) note(`rel=${rel}`, known, `${path}:${index + 1}`, rel.endsWith('preload') || rel === 'manifest');
      }
    }
  });
}

// The JavaScript of the apps makes elements with `element('tag', { name: value })`.
function checkMadeElements(path, text) {
  text.split('\n').forEach((words, index) => {
    for (const [, tag, rest] of words.matchAll(/element\('([a-z0-9]+)'(?:, \{([^}]*))?/g)) {
      const names = [...(rest ?? '').matchAll(/'?([a-z-]+)'?\s*[:,]/g)].map(([, name]) => name);
      checkElement(path, index + 1, tag, names);
    }
  });
}

// MARK: The check

function filesBelow(folder) {
  return readdirSync(folder).sort().flatMap((name) => {
    const path = join(folder, name);
    return statSync(path).isDirectory() ? filesBelow(path) : [path];
  });
}

function checkFile(path, text) {
  if (path.endsWith('.js')) { checkScript(path, text); checkMadeElements(path, text); }
  if (path.endsWith('.css')) checkStyle(path, text);
  if (path.endsWith('.html')) checkPage(path, text);
}

const tooNew = () => [...found].filter(([, { versions, isGuarded }]) =>
  !isGuarded && (!versions || isTooNew(versions)));

// The self-test checks these texts instead of the files. Each feature must be found.
const PLANTS = [
  ['a.js', 'const both = AbortSignal.any([]);', 'AbortSignal.any'],
  ['a.js', 'const { promise } = Promise.withResolvers();', 'Promise.withResolvers'],
  ['a.js', 'const sorted = (list) => list.toSorted();', '….toSorted'],
  ['a.js', 'new CompressionStream("gzip");', 'CompressionStream'],
  ['a.js', 'const x = navigator.locks.request; requestIdleCallback(x);', 'requestIdleCallback'],
  ['a.js', 'const x = Promise.sooner();', 'Promise.sooner (not in the data: add it to NEWER)'],
  ['a.js', 'class A { static { A.x = 1; } }', 'static block'],
  ['a.js', 'const x = /(?<=a)b/;', 'lookbehind'],
  ['a.css', 'p { text-wrap: balance; }', 'css text-wrap'],
  ['a.css', 'p { span { color: red; } }', 'css nesting'],
  ['a.css', 'p { color: light-dark(red, blue); }', 'css light-dark()'],
  ['a.css', 'p:has(a) { color: red; }', 'css :has'],
  ['a.css', 'p { height: 100dvh; }', 'css unit dvh'],
  ['a.html', '<div popover>', 'popover='],
  ['a.js', 'clients.claimAllOfThem(); const x = new BarcodeDetector();', 'BarcodeDetector'],
];

// The self-test must find nothing here, because each text checks for the feature first.
const GUARDED = [
  ['a.js', "if ('CompressionStream' in globalThis) new CompressionStream('gzip');"],
  ['a.js', 'event.addRoutes?.({});'],
  ['a.css', 'p { height: 100vh; height: 100dvh; }'],
  ['a.css', '@supports (text-wrap: balance) { p { text-wrap: balance; } }'],
];

function selfTest() {
  for (const [path, text, feature] of PLANTS) {
    found.clear();
    checkFile(path, text);
    const names = tooNew().map(([name]) => name);
    if (!names.includes(feature)) throw new Error(`not found: ${text} (${names.join(', ')})`);
  }
  for (const [path, text] of GUARDED) {
    found.clear();
    checkFile(path, text);
    const names = tooNew().map(([name]) => name);
    if (names.length > 0) throw new Error(`found though guarded: ${text} (${names.join(', ')})`);
  }
  console.log(`${PLANTS.length} planted features were found`);
}

if (process.argv.includes('--self-test')) selfTest();
found.clear();
for (const path of filesBelow('Apps/Web')) checkFile(path, readFileSync(path, 'utf8'));
if (process.argv.includes('--list')) {
  for (const [name, { versions, places, isGuarded }] of [...found].sort()) {
    const mark = versions && isTooNew(versions) ? (isGuarded ? ' (guarded)' : ' (TOO NEW)') : '';
    console.log(`${name}: ${versions ? shown(versions) : 'unknown'}${mark}, ${places[0]}`);
  }
}
for (const [name, { versions, places }] of tooNew()) {
  console.error(`${places[0]}: error: ${name} is newer than the oldest browsers: ${
    versions ? shown(versions) : 'unknown'}`);
}
const oldest = Object.entries(OLDEST).map(([name, version]) => `${name} ${version}`).join(', ');
console.log(`${found.size} features used, oldest browsers: ${oldest}`);
process.exitCode = tooNew().length > 0 ? 1 : 0;
