// The guides: listed, linked and found, as files and as pages.
import { existsSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { endpointsOf } from '../../src/endpoints/routes/endpoint.ts';
import { createPages } from '../../src/pages/pages.ts';
import { guideAddress, readManual, wordsOf } from '../../src/pages/site/manual.ts';
import { sectionsOf } from '../../src/pages/site/markdown.ts';
import { synonyms } from '../../src/pages/synonyms.ts';
import { topics } from '../../src/pages/topics.ts';
import { fieldCodes, type ProblemCode, problemCodes, typeOfProblem } from '../../src/problems/codes.ts';
import { type Problem, problems } from '../../src/problems.ts';
import { reservedFault } from '../../src/registry/model/vocabulary.ts';
import { rules } from '../../src/rules/catalogue.ts';
import { names, textFiles, textOf } from '../support/browser/guides.ts';
import { registryOf } from '../support/service/praxis.ts';

const root = join(import.meta.dirname, '../..');
const manual = readManual();
const registry = registryOf('product');
const pages = createPages({ registry, endpoints: endpointsOf(registry), signatures: rules });
const bodyOf = async (path: string): Promise<string> => (await pages.find(path)?.())?.body.toString() ?? '';

/** Without fenced blocks and code, in which brackets mean something else. */
const proseOf = (name: string): string =>
  textOf(name)
    .replaceAll(/^```[\s\S]*?^```/gm, '')
    .replaceAll(/`[^`\n]+`/g, '``');
const linksOf = (name: string): string[] =>
  [...proseOf(name).matchAll(/\]\(([^)\s]+)\)/g)].map(([, link = '']) => link);
const anchorsOf = (name: string): string[] => sectionsOf(textOf(name), (link) => link).map(({ id }) => id);

describe('guides as files', () => {
  it('stand in the list, each once', () => {
    const listed = manual.guides.map(({ name }) => name);
    expect(listed.toSorted()).toEqual(names.filter((name) => name !== 'README' && name !== 'list').toSorted());
    expect(new Set(listed).size).toBe(listed.length);
  });

  it('have the titles by which they are listed', () => {
    for (const { name, title } of manual.guides) expect(textOf(name).split('\n', 1)[0], name).toBe(`# ${title}`);
  });

  it('lead to files and headings that are there', () => {
    const wrong: string[] = [];
    for (const [nth, name] of names.entries()) {
      const file = textFiles[nth] ?? '';
      for (const link of linksOf(name)) {
        if (/^https?:/.test(link)) continue;
        const [path = '', anchor] = link.split('#');
        const target = path === '' ? file : join(dirname(file), path);
        const guide = names[textFiles.indexOf(target)];
        if (!existsSync(join(root, target)) || (anchor !== undefined && !(guide && anchorsOf(guide).includes(anchor))))
          wrong.push(`${file}: ${link}`);
      }
    }
    expect(wrong).toEqual([]);
  });

  it('name files of the project that are there', () => {
    const named = names.flatMap((name) =>
      [...textOf(name).matchAll(/(?<![\w/.])(?:src|test|codegen|\.ci|\.package)\/[\w./-]*[\w]/g)].map(
        ([path]) => `${name}: ${path}`,
      ),
    );
    expect(named.length).toBeGreaterThan(50);
    expect(named.filter((each) => !existsSync(join(root, each.split(': ')[1] ?? '')))).toEqual([]);
  });

  it('name fields that nobody can have', () => {
    const [, told = ''] = /Some\s+names are reserved: ([\s\S]*?)\n\n/.exec(textOf('descriptors')) ?? [];
    const reserved = [...told.matchAll(/`(\w+)`/g)].map(([, name = '']) => name);
    expect(reserved.length).toBeGreaterThan(15);
    expect(reserved.filter((name) => reservedFault(name) === undefined)).toEqual([]);
  });

  it('have lines of at most 100 characters, but for tables, blocks and what has no space', () => {
    const long = manual.guides.flatMap(({ name }) =>
      textOf(name)
        .replaceAll(/^```[\s\S]*?^```/gm, '')
        .split('\n')
        .filter((line) => line.length > 100 && !line.startsWith('|') && /^.{0,100}\s/.test(line.replace(/^\W+/, '')))
        .filter((line) => !/`[^`]{60,}`/.test(line))
        .map((line) => `${name}: ${line}`),
    );
    expect(long).toEqual([]);
  });
});

describe('the guide of errors', () => {
  const sections = new Map(
    textOf('errors')
      .split(/^### /m)
      .slice(1)
      .map((text) => {
        const [heading = '', ...lines] = text.split(/^## /m)[0]?.split('\n') ?? [];
        return [heading.replaceAll('`', ''), lines.join(' ').replaceAll(/\s+/g, ' ').trim()];
      }),
  );

  it('has a section for each code, with its status, its cause and its remedy', () => {
    expect([...sections.keys()]).toEqual([...Object.keys(problemCodes), ...Object.keys(fieldCodes)]);
    for (const [code, { status, cause, remedy }] of Object.entries(problemCodes))
      expect(sections.get(code)?.startsWith(`${status}: ${cause}. ${remedy} `), code).toBe(true);
    for (const [code, { cause, remedy }] of Object.entries(fieldCodes))
      expect(sections.get(code), code).toBe(`${cause}. ${remedy}`);
  });

  it('has each message that is always the same', () => {
    for (const make of Object.values(problems).filter((each) => typeof each === 'function' && each.length === 0)) {
      const { code, message } = (make as () => Problem)();
      expect(sections.get(code), code).toContain(`\`${message}\``);
    }
  });

  it('has an anchor at which the type of each problem leads', async () => {
    for (const code of Object.keys(problemCodes) as ProblemCode[]) {
      const [path = '', anchor = ''] = typeOfProblem(code).split('#');
      expect(await bodyOf(path), code).toContain(`<h3 id="${anchor}">`);
    }
  });

  it('lists every status with its codes', () => {
    const [, list = ''] = /^## By status\n([\s\S]*?)^## /m.exec(textOf('errors')) ?? [];
    const items = list.split(/^- \*\*/m).slice(1);
    const listed = items.map((item) => [
      Number(item.slice(0, 3)),
      [...item.matchAll(/\[`([a-z-]+)`\]\(#\1\)/g)].map(([, code]) => code),
    ]);
    const codesByStatus = Map.groupBy(Object.entries(problemCodes), ([, { status }]) => status);
    const expected = [...codesByStatus].map(([status, entries]) => [status, entries.map(([code]) => code)] as const);
    expect(listed).toEqual(expected.toSorted(([one], [other]) => one - other));
  });
});

describe('guides as pages', () => {
  it('lead to pages and anchors that are there', async () => {
    for (const { name } of manual.guides) {
      const text = await bodyOf(guideAddress(name));
      for (const [, href = ''] of text.matchAll(/<a [^>]*?href="([^"]+)"/g)) {
        const [path = '', anchor] = href.split('#');
        if (/^https?:/.test(href) || path.startsWith('/console') || path === '/openapi.json') continue;
        const target = path === '' ? text : await bodyOf(path);
        expect(target, `${name}: ${href}`).not.toBe('');
        if (anchor !== undefined) expect(target, `${name}: ${href}`).toContain(`id="${anchor}"`);
      }
    }
  });

  it('hold no HTML but ours: neither scripts nor styles nor handlers', async () => {
    for (const { name } of manual.guides) {
      const text = await bodyOf(guideAddress(name));
      expect(text, name).not.toMatch(/ style="|<style|<script>|<iframe| on\w+="|javascript:/);
    }
  });

  it('stand beside one another, in the order of the list', async () => {
    const [first, second] = manual.guides;
    const text = await bodyOf(guideAddress(first?.name ?? ''));
    for (const { name } of manual.guides) expect(text).toContain(`href="${guideAddress(name)}"`);
    expect(text).toContain(`href="${guideAddress(second?.name ?? '')}"><span>Next</span>${second?.title}`);
  });

  it('say which guide may have been meant', async () => {
    const { body } = await pages.missing('/docs/guides/bakcup');
    expect(body.toString()).toContain(
      'The guide <code>bakcup</code> does not exist. Did you mean <a href="/docs/guides/backup">',
    );
  });
});

describe('the search over guides', () => {
  it('has every section, with its words', async () => {
    const { entries } = JSON.parse(await bodyOf('/docs/search.json')) as { entries: string[][] };
    const addresses = new Map(entries.map((entry) => [entry[4], entry]));
    for (const guide of manual.guides)
      for (const [nth, section] of guide.sections.entries()) {
        const entry = addresses.get(guideAddress(guide.name) + (nth === 0 ? '' : `#${section.id}`));
        expect(entry?.[3], `${guide.name}#${section.id}`).toContain(wordsOf(section));
      }
  });

  it('knows synonyms of words that stand in guides', async () => {
    const sent = JSON.parse(await bodyOf('/docs/search.json')) as { entries: string[][]; synonyms: typeof synonyms };
    expect(sent.synonyms).toEqual(synonyms);
    const texts = sent.entries.map((entry) => entry.join(' ').toLowerCase());
    const astray = Object.entries(synonyms).flatMap(([term, others]) =>
      others.filter((other) => !texts.some((text) => text.includes(other))).map((other) => `${term}: ${other}`),
    );
    expect(astray).toEqual([]);
  });

  it('leads what newcomers ask to places that are there, each to one', async () => {
    const sent = JSON.parse(await bodyOf('/docs/search.json')) as { entries: string[][]; topics: typeof topics };
    expect(sent.topics).toEqual(topics);
    const addresses = new Set(sent.entries.map((entry) => entry[4] ?? ''));
    expect(Object.keys(topics).filter((address) => !addresses.has(address))).toEqual([]);
    const terms = Object.values(topics).flat();
    expect(terms.filter((term, nth) => terms.indexOf(term) !== nth)).toEqual([]);
  });
});
