import { defineConfig } from 'praxis';

// Taken in by every command. Variables of the environment go before what stands here.
export default defineConfig({
  resources: 'resources',
  migrations: 'migrations',
  // Rules of your own, by the names that descriptors use: npx praxis new rule <name>
  rules: {},
  // Koa middleware, run before every request.
  middleware: [],
  // The pages for people at /docs, and the console for the records at /console.
  pages: true,
  console: true,
});
