/** The pipeline {@code hydrateAll}: writes course material, from courses to chapters to topics. */
package io.orth.sample.hydrate;
