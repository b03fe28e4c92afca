// What changes a whole process, and so has one of its own: the other file registers on first use.

import DependencyInjection

print(DIContainer.resolve(Router.self).path)  // /
