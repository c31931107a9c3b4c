using MgbaBridge.Client.Protocol;
using MgbaBridge.Gateway.Diagnostics;
using MgbaBridge.Gateway.Interfaces.Http;
using MgbaBridge.Gateway.Interfaces.Mcp.Resources;
using MgbaBridge.Gateway.Operations.Agents;
using ModelContextProtocol.Protocol;
using ModelContextProtocol.Server;

namespace MgbaBridge.Gateway.Interfaces.Mcp.Server;

/// <summary>Puts the MCP server together.</summary>
internal static class McpServices
{
    private const string Instructions = """
        You play and debug a Game Boy (Advance) game in mGBA. Call observe to see it and press to act; press returns the new picture. The game runs on between your calls
        unless you call take_control, which stops it between your calls; call give_back when you are done. People and other programs may play at the same time:
        status says who has control. Prefer names (properties and symbols) over addresses. Where go, talk and choose are offered, they walk and talk by names. Save before something risky. When a call fails, do what its text says after "Next:".
        """;

    private static readonly TimeSpan ListTimeToLive = TimeSpan.FromMinutes(5);

    /// <summary>Adds it.</summary>
    public static void AddMcp(this WebApplicationBuilder builder, McpOptions options)
    {
        var services = builder.Services;
        services.AddSingleton(options);
        services.AddSingleton(static all =>
        {
            var (folder, logger) = (all.GetRequiredService<McpOptions>().RunFolder, all.GetRequiredService<ILogger<AgentRegistry>>());
            void Failed(string path, Exception exception) => GatewayLog.RunNotWritten(logger, EscapedText.Of(path), exception.Message);
            return new AgentRegistry(all.GetRequiredService<TimeProvider>(), string.IsNullOrEmpty(folder) ? null : agent => AgentRun.Begin(folder, agent, Failed));
        });
        services.AddSingleton<ToolCalls>();
        services.AddSingleton<GameNotes>();
        services.AddSingleton<ResourceList>();
        services.AddSingleton(ServerOptions);
        services.AddSingleton<McpSessions>();
        services.AddSingleton<McpEndpoint>();
        if (!string.IsNullOrEmpty(builder.Configuration[StdioHost.Key]))
        {
            services.AddHostedService<StdioHost>();
        }
    }

    /// <summary>Maps its path.</summary>
    public static void MapMcp(this IEndpointRouteBuilder routes, McpOptions options)
    {
        if (options.Enabled)
        {
            Map(HttpMethods.Post, static (endpoint, http) => endpoint.PostAsync(http));
            Map(HttpMethods.Get, static (endpoint, http) => endpoint.GetAsync(http));
            Map(HttpMethods.Delete, static (endpoint, http) => endpoint.DeleteAsync(http));
        }

        // made by the first request: it is a tenth of the time to start
        void Map(string method, Func<McpEndpoint, HttpContext, Task> handle)
        {
            RequestDelegate handler = http => handle(http.RequestServices.GetRequiredService<McpEndpoint>(), http);
            routes.MapMethods(McpEndpoint.Path, [method], handler).WithMetadata(ForOwners.Instance);
        }
    }

    private static McpServerOptions ServerOptions(IServiceProvider services)
    {
        var tools = services.GetRequiredService<ToolCalls>();
        var resources = services.GetRequiredService<ResourceList>();
        var subscriptions = new Subscriptions(resources);
        return new McpServerOptions
        {
            ServerInfo = new Implementation { Name = "mgba-bridge", Title = "mGBA-bridge", Version = typeof(McpServices).Assembly.GetName().Version?.ToString(3) ?? "0" },
            ServerInstructions = Instructions,
            ScopeRequests = false,
            Capabilities = new ServerCapabilities
            {
                Tools = new ToolsCapability(),
                Resources = new ResourcesCapability { Subscribe = true },
                Prompts = new PromptsCapability(),
            },
            Handlers =
            {
                ListToolsHandler = (request, cancelled) => tools.ListAsync(Sender.Of(request), cancelled),
                CallToolHandler = tools.CallAsync,
                ListResourcesHandler = (request, _) => ValueTask.FromResult(resources.List(Sender.Of(request).Caller)),
                ListResourceTemplatesHandler = static (_, _) => ValueTask.FromResult(Cached(ResourceList.Templates())),
                ReadResourceHandler = (request, cancelled) => resources.ReadAsync(request.Params?.Uri ?? "", Sender.Of(request).Caller, Sender.Of(request).MissingResource, cancelled),
                SubscribeToResourcesHandler = subscriptions.SubscribeAsync,
                UnsubscribeFromResourcesHandler = Subscriptions.UnsubscribeAsync,
                SubscriptionsListenHandler = subscriptions.ListenAsync,
                ListPromptsHandler = static (_, _) => ValueTask.FromResult(Cached(PromptList.List())),
                GetPromptHandler = static (request, _) => ValueTask.FromResult(PromptList.Get(request.Params)),
            },
        };
    }

    // the same for all clients of one URL, until the gateway is another version; other results say that they are not to be kept
    private static T Cached<T>(T list)
        where T : ICacheableResult
    {
        (list.TimeToLive, list.CacheScope) = (ListTimeToLive, CacheScope.Public);
        return list;
    }
}
