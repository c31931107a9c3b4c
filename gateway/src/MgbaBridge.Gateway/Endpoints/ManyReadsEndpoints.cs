using MgbaBridge.Gateway.Commands;
using MgbaBridge.Gateway.Endpoints.OpenApi;

namespace MgbaBridge.Gateway.Endpoints;

/// <summary>Memory: its parts, and many reads at once.</summary>
public static class ManyReadsEndpoints
{
    private const string Tag = "Memory";

    /// <summary>Adds <c>/v2/memory/domains</c> and <c>/v2/memory/read</c>.</summary>
    public static void MapManyReads(this IEndpointRouteBuilder routes)
    {
        routes.MapGet("/v2/memory/domains", Domains).Describe(new Operation(Tag, "The parts of memory that have a name")
        {
            Answers = [Content.Json<DomainsAnswer>("""{"frame":4711,"epoch":"9f3a01c2","domains":[{"id":"wram","name":"EWRAM","base":"0x02000000","size":262144}]}""")],
        });
        routes.MapPost("/v2/memory/read", Read).Describe(new Operation(Tag, "Read many places in one frame")
        {
            Description = "1 to 1024 numbers and ranges, up to 4 MiB together, all from the same frame.",
            Body = Content.Json<ReadsBody>("""{"reads":[{"location":"0x02000008","type":"u32"},{"location":"wram:0xA0","length":10}]}"""),
            Answers = [Content.Json<ReadsAnswer>("""{"frame":4711,"epoch":"9f3a01c2","reads":[{"location":"0x02000008","value":4708},{"location":"wram:0xA0","bytes":"SEVMTE8gTUdCQQ=="}]}""")],
        });
    }

    private static Task Domains(HttpContext http) => http.AskAsync(new ListDomains(), static (http, _, reply) =>
    {
        var byAddress = ListDomains.Parse(reply).OrderBy(domain => domain.Base).ThenBy(domain => domain.Id, StringComparer.Ordinal);
        DomainAnswer[] domains = [.. byAddress.Select(domain => new DomainAnswer(domain.Id, domain.Name, GameEndpoints.Hex(domain.Base), domain.Size))];
        return JsonBody.WriteAsync(http, new DomainsAnswer(reply.Frame, reply.Epoch, domains), BridgeJson.Default.DomainsAnswer);
    });

    private static async Task Read(HttpContext http)
    {
        if (await JsonBody.ReadAsync(http, BridgeJson.Default.ReadsBody) is not { } body)
        {
            return;
        }

        if (body.Wrong() is { } wrong)
        {
            await Problems.BadRequestAsync(http, wrong);
        }
        else
        {
            await http.AskAsync(new GatherMemory([.. body.Reads.Select(read => read.Range)]), static (http, command, reply) =>
                JsonBody.WriteAsync(http, ReadsAnswer.Of(command, reply), BridgeJson.Default.ReadsAnswer));
        }
    }
}
