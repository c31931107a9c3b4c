using Microsoft.AspNetCore.Http.Json;
using Microsoft.OpenApi;

namespace MgbaBridge.Gateway.Endpoints.OpenApi;

/// <summary>The document that describes this API, and a page to read and try it.</summary>
public static class OpenApiEndpoints
{
    private const string DocumentPath = "/openapi/v1.json";
    private const string PagePath = "/docs";

    /// <summary>Adds what is needed to write the document.</summary>
    public static void AddApiDocument(this IServiceCollection services)
    {
        services.Configure<JsonOptions>(json =>
        {
            json.SerializerOptions.TypeInfoResolverChain.Insert(0, BridgeJson.Default);
            json.SerializerOptions.NumberHandling = BridgeJson.Default.Options.NumberHandling;
        });
        services.AddOpenApi("v1", document =>
        {
            document.OpenApiVersion = OpenApiSpecVersion.OpenApi3_1;
            document.AddSchemaTransformer(new ShapesTransformer());
            document.AddDocumentTransformer<OperationsTransformer>();
            document.AddDocumentTransformer((document, _, _) =>
            {
                document.Info = new OpenApiInfo
                {
                    Title = "mGBA-bridge",
                    Version = "2",
                    Description = "Drives mGBA over HTTP. Every answer says in which frame it was true (`Mgba-Frame`) and in which epoch (`Mgba-Epoch`), "
                        + "every failure is a problem as RFC 9457 has it, with a `detail` that says what to do.",
                };
                document.Servers =
                [
                    new OpenApiServer { Url = "/", Description = "The first emulator." },
                    new OpenApiServer
                    {
                        Url = "/i/{id}",
                        Description = "One of several emulators; GET /v2/emulators lists them.",
                        Variables = new Dictionary<string, OpenApiServerVariable> { ["id"] = new() { Default = "1", Description = "The emulator's id." } },
                    },
                ];
                return Task.CompletedTask;
            });
        });
    }

    /// <summary>Adds <c>GET /openapi/v1.json</c> and the page <c>/docs</c>.</summary>
    public static void MapApiDocument(this WebApplication app)
    {
        app.MapOpenApi("/openapi/{documentName}.json").Add(endpoint =>
        {
            var write = endpoint.RequestDelegate!;
            endpoint.RequestDelegate = async http =>
            {
                await Task.CompletedTask.ConfigureAwait(ConfigureAwaitOptions.ForceYielding); // the first one takes long, see SocketThreads
                await write(http);
            };
        });
        // Only below its own path: it would look at every request with regular expressions.
        app.UseWhen(context => context.Request.Path.StartsWithSegments(PagePath), branch => branch.UseSwaggerUI(page =>
        {
            page.RoutePrefix = PagePath[1..];
            page.DocumentTitle = "mGBA-bridge";
            page.SwaggerEndpoint(DocumentPath, "mGBA-bridge");
            page.EnableTryItOutByDefault();
        }));
    }
}
