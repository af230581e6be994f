// The console's script and style, bundled by esbuild in memory at the first request. A package brings them built.
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

/** A file by its name, in which a digest of its content stands. */
export interface BuiltFile {
  readonly name: string;
  readonly body: Buffer;
}

export interface Bundle {
  readonly files: readonly BuiltFile[];
  /** Names of the script and the style that the page loads. */
  readonly script: string;
  /** Of what the script begins with: asked for together with it. */
  readonly imports: readonly string[];
  readonly style: string;
  /** What asks for the first thing before the script is there. */
  readonly early: string;
}

const sources = new URL('./app/', import.meta.url);
const built = new URL('./built/', import.meta.url);

/** @throws Error where the sources are not right */
export async function loadBundle(): Promise<Bundle> {
  return existsSync(built) ? bundleOf(readBuilt()) : bundleOf(await buildFiles());
}

const readBuilt = (): BuiltFile[] =>
  readdirSync(built).map((name) => ({ name, body: readFileSync(new URL(name, built)) }));

function bundleOf(files: readonly BuiltFile[]): Bundle {
  const named = (pattern: RegExp): string => {
    const file = files.find(({ name }) => pattern.test(name));
    if (file === undefined) throw new Error(`the console was built without ${pattern}`);
    return file.name;
  };
  const script = named(/^main-.*\.js$/);
  const text = files.find(({ name }) => name === script)?.body.toString() ?? '';
  const imports = [...text.matchAll(/\b(?:from|import)\s*"\.\/([\w-]+\.js)"/g)].map(([, name = '']) => name);
  return { files, script, imports, style: named(/^console-.*\.css$/), early: named(/^early-.*\.js$/) };
}

const messageFiles = (): readonly string[] => {
  const folder = fileURLToPath(new URL('messages/', sources));
  return readdirSync(folder)
    .toSorted()
    .map((name) => join(folder, name));
};

/**
 * Builds the files. What a view needs alone is a file of its own, loaded when it is first shown.
 * @throws Error where the sources are not right, or name something that browsers do not have
 */
export async function buildFiles(): Promise<readonly BuiltFile[]> {
  const { build } = await import('esbuild');
  const { outputFiles, metafile } = await build({
    entryPoints: {
      main: fileURLToPath(new URL('main.tsx', sources)),
      console: fileURLToPath(new URL('console.css', sources)),
    },
    bundle: true,
    splitting: true,
    minify: true,
    format: 'esm',
    target: 'es2023',
    jsx: 'automatic',
    jsxImportSource: 'preact',
    legalComments: 'none',
    // What the page begins with is imported by every view too: it is one file then, not as many as there are ways to share.
    // The messages come first: modules of the page read them as they load.
    inject: [...messageFiles(), fileURLToPath(new URL('shell.tsx', sources))],
    outdir: '/console',
    entryNames: '[name]-[hash]',
    chunkNames: '[name]-[hash]',
    write: false,
    metafile: true,
    logLevel: 'silent',
    // The project's own settings are for Node.
    tsconfigRaw: { compilerOptions: { verbatimModuleSyntax: true } },
    plugins: [
      {
        name: 'no-node',
        setup: ({ onResolve }) =>
          onResolve({ filter: /^node:/ }, ({ path }) => ({ path, external: true, sideEffects: false })),
      },
    ],
  });
  // By itself, without anything of the others.
  const early = await build({
    entryPoints: { early: fileURLToPath(new URL('early.ts', sources)) },
    ...{ bundle: true, minify: true, format: 'iife', target: 'es2023', outdir: '/console' },
    ...{ entryNames: '[name]-[hash]', write: false, logLevel: 'silent' },
    tsconfigRaw: { compilerOptions: { verbatimModuleSyntax: true } },
  });
  const outside = Object.values(metafile.outputs).flatMap(({ imports }) => imports.filter(({ external }) => external));
  if (outside.length > 0) throw new Error(`the console imports ${outside.map(({ path }) => path).join(', ')}`);
  return [...outputFiles, ...early.outputFiles].map(({ path, contents }) => ({
    name: path.slice(path.lastIndexOf('/') + 1),
    body: Buffer.from(contents),
  }));
}
