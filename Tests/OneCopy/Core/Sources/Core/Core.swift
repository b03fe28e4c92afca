@_exported public import DependencyInjection
